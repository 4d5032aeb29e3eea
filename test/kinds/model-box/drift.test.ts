import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerTo, driftOf } from '../../../src/kinds/model-box/drift.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import type { KubeObject, Manifest } from '../../../src/runtime/object.ts';
import { modelBox, stored } from './fixture.ts';

const box = modelBox({
  envs: [
    { name: 'A', value: '1' },
    { name: 'B', value: '' },
  ],
  initContainers: [
    { name: 'first', image: 'init:1', securityContext: { allowPrivilegeEscalation: false } },
    { name: 'second', image: 'init:2' },
  ],
  size: 'small',
  minReadySeconds: 0,
});
const wanted = wantedBy(box);

// biome-ignore lint/suspicious/noExplicitAny: edits are made anywhere in an object, as another client would
type Editable = any;

function edited<T extends KubeObject>(manifest: Manifest<T>, edit: (live: Editable) => void): T {
  const live = structuredClone(stored(manifest));
  edit(live);
  return live;
}

describe('a Deployment that another client has touched', () => {
  it.each<{ name: string; edit: (live: Editable) => void; drift: string }>([
    { name: 'not at all', edit: () => {}, drift: 'none' },
    {
      name: 'with defaults of the API server in it',
      edit: ({ spec }) => {
        spec.revisionHistoryLimit = 10;
        spec.template.spec.restartPolicy = 'Always';
        spec.template.spec.containers[0].imagePullPolicy = 'IfNotPresent';
        spec.template.spec.containers[0].readinessProbe.timeoutSeconds = 1;
      },
      drift: 'none',
    },
    {
      name: 'by injecting a container in front of ours',
      edit: ({ spec }) => spec.template.spec.containers.unshift({ name: 'sidecar', image: 'envoy' }),
      drift: 'none',
    },
    {
      name: 'by adding a variable, a label and another owner',
      edit: ({ metadata, spec }) => {
        spec.template.spec.containers[0].env.push({ name: 'C', value: '3' });
        metadata.labels.team = 'blue';
        metadata.ownerReferences.push({ uid: 'other-uid' });
      },
      drift: 'none',
    },
    {
      name: 'by storing it, which loses empty texts and zeros',
      edit: ({ spec }) => {
        delete spec.template.spec.containers[0].env[1].value;
        delete spec.minReadySeconds;
      },
      drift: 'none',
    },
    { name: 'by waiting where we do not', edit: ({ spec }) => (spec.minReadySeconds = 9), drift: 'edited' },
    {
      name: 'by taking away a safeguard',
      edit: ({ spec }) => (spec.template.spec.initContainers[0].securityContext = {}),
      drift: 'edited',
    },
    { name: 'by scaling it', edit: ({ spec }) => (spec.replicas = 9), drift: 'edited' },
    { name: 'by another image', edit: ({ spec }) => (spec.template.spec.containers[0].image = 'x'), drift: 'edited' },
    {
      name: 'by taking a variable away',
      edit: ({ spec }) => spec.template.spec.containers[0].env.pop(),
      drift: 'edited',
    },
    { name: 'by emptying a list', edit: ({ spec }) => (spec.template.spec.containers[0].env = []), drift: 'edited' },
    {
      name: 'by changing the order of init containers',
      edit: ({ spec }) => spec.template.spec.initContainers.reverse(),
      drift: 'edited',
    },
    {
      name: 'by taking a probe away',
      edit: ({ spec }) => delete spec.template.spec.containers[0].livenessProbe,
      drift: 'edited',
    },
    { name: 'by taking its label away', edit: ({ metadata }) => (metadata.labels = {}), drift: 'edited' },
    { name: 'by taking our signature away', edit: ({ metadata }) => (metadata.annotations = {}), drift: 'changed' },
  ])('$name: $drift', ({ edit, drift }) => {
    expect(driftOf(edited(wanted.deployment, edit), wanted.deployment, undefined)).toBe(drift);
  });

  it('is out of date as soon as the ModelBox says something else', () => {
    const before = stored(wantedBy(modelBox()).deployment);
    expect(driftOf(before, wanted.deployment, undefined)).toBe('changed');
  });

  it('may have replicas of its own when the ModelBox does not decide', () => {
    const { replicas: _, ...spec } = box.spec;
    const { deployment } = wantedBy({ ...box, spec });
    expect(
      driftOf(
        edited(deployment, (live) => (live.spec.replicas = 9)),
        deployment,
        undefined,
      ),
    ).toBe('none');
  });
});

describe('a Service that another client has touched', () => {
  it.each<{ name: string; edit: (live: Editable) => void; drift: string }>([
    {
      name: 'with what Kubernetes has given it',
      edit: ({ spec }) => Object.assign(spec, { clusterIP: '10.0.0.1', sessionAffinity: 'None' }),
      drift: 'none',
    },
    { name: 'by a node port', edit: ({ spec }) => (spec.ports[0].nodePort = 30_001), drift: 'none' },
    { name: 'by another port', edit: ({ spec }) => spec.ports.push({ port: 81 }), drift: 'none' },
    { name: 'by a label more in its selector', edit: ({ spec }) => (spec.selector.x = 'y'), drift: 'edited' },
    { name: 'by another type', edit: ({ spec }) => (spec.type = 'LoadBalancer'), drift: 'edited' },
    { name: 'by moving our port', edit: ({ spec }) => (spec.ports[0].port = 82), drift: 'edited' },
  ])('$name: $drift', ({ edit, drift }) => {
    expect(driftOf(edited(wanted.service, edit), wanted.service, undefined)).toBe(drift);
  });
});

describe('what the API server made of our wish', () => {
  const odd = wantedBy(modelBox({ envs: [{ name: 'EMPTY', value: '' }], resources: { limits: { cpu: '0.5' } } }));
  const kept = edited(odd.deployment, ({ spec }) => {
    const [container] = spec.template.spec.containers;
    delete container.env[0].value;
    container.resources.limits.cpu = '500m';
    container.image = 'mirror.local/web:1';
  });
  const answer = answerTo(odd.deployment, kept);

  it('counts as our wish, once it has answered', () => {
    expect(driftOf(kept, odd.deployment, undefined)).toBe('edited');
    expect(driftOf(kept, odd.deployment, answer)).toBe('none');
  });

  it('is what others must not change', () => {
    const louder = structuredClone(kept) as Editable;
    louder.spec.template.spec.containers[0].env[0].value = 'loud';
    expect(driftOf(louder, odd.deployment, answer)).toBe('edited');
  });

  it('counts for nothing when something else was wished for', () => {
    expect(driftOf(stored(wanted.deployment), wanted.deployment, answer)).toBe('none');
    expect(driftOf(kept, wanted.deployment, answer)).toBe('changed');
  });
});

describe('what belongs to whom', () => {
  const of = (spec: object): KubeObject =>
    ({ metadata: { name: 'web', uid: 'u', resourceVersion: '1' }, spec }) as KubeObject;

  it.each<{ list: string; ours: readonly object[]; theirs: object }>([
    { list: 'containers', ours: [{ name: 'a' }], theirs: { name: 'x' } },
    { list: 'initContainers', ours: [{ name: 'a' }], theirs: { name: 'x' } },
    { list: 'env', ours: [{ name: 'a' }], theirs: { name: 'x' } },
    { list: 'claims', ours: [{ name: 'a' }], theirs: { name: 'x' } },
    { list: 'volumeMounts', ours: [{ mountPath: '/a' }], theirs: { mountPath: '/x' } },
    { list: 'volumeDevices', ours: [{ devicePath: '/a' }], theirs: { devicePath: '/x' } },
    { list: 'ports', ours: [{ containerPort: 80 }, { containerPort: 81 }], theirs: { containerPort: 90 } },
    { list: 'ports', ours: [{ port: 80 }], theirs: { port: 80, protocol: 'UDP' } },
  ])('others may add to $list', ({ list, ours, theirs }) => {
    expect(driftOf(of({ [list]: [theirs, ...ours] }), of({ [list]: ours }), undefined)).toBe('none');
  });

  it('a port is the same with its protocol written out', () => {
    expect(driftOf(of({ ports: [{ port: 80, protocol: 'TCP' }] }), of({ ports: [{ port: 80 }] }), undefined)).toBe(
      'none',
    );
  });

  it.each(['selector', 'configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'])(
    'a field more in %s makes another one of it',
    (field) => {
      const live = of({ [field]: { a: '1', b: '2' } });
      expect(driftOf(live, of({ [field]: { a: '1' } }), undefined)).toBe('edited');
    },
  );

  it('an object that was emptied has changed', () => {
    expect(driftOf(of({ probe: null }), of({ probe: { path: '/' } }), undefined)).toBe('edited');
  });
});

describe('any object', () => {
  const leaf = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom('a', 'b', 'c'));
  const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
    tree: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.oneof({ maxDepth: 2 }, leaf, tie('tree')), {
      minKeys: 1,
    }) as fc.Arbitrary<Record<string, unknown>>,
  }));
  const env = fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B', 'C', 'D'), value: leaf }), {
    selector: ({ name }) => name,
    minLength: 1,
  });
  const manifests = fc
    .record({ spec: tree, env, args: fc.array(leaf, { minLength: 1 }) })
    .map(({ spec, ...lists }) => ({
      metadata: { name: 'web', uid: 'u', resourceVersion: '1' },
      spec: { ...spec, ...lists },
    }));

  /** Fields and items of others wherever there can be some. */
  const withForeign = (value: unknown, field = ''): unknown => {
    if (field === 'env') return [{ name: 'FOREIGN' }, ...(value as object[]).map((item) => withForeign(item))];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const ours = Object.entries(value).map(([name, member]) => [name, withForeign(member, name)] as const);
    return { foreign: 'yes', ...Object.fromEntries(ours) };
  };

  /** Every object that differs from this one in exactly one value. */
  function* withOneChange(value: unknown): Generator<unknown> {
    if (typeof value !== 'object' || value === null) {
      yield 'changed';
      return;
    }
    for (const key of Object.keys(value)) {
      const copy = (): Editable => structuredClone(value);
      for (const member of withOneChange((value as Editable)[key])) yield Object.assign(copy(), { [key]: member });
      if (!Array.isArray(value)) {
        const less = copy();
        delete less[key];
        yield less;
      }
    }
  }

  it('has not drifted, whatever others have added', () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        expect(driftOf(withForeign(manifest) as KubeObject, manifest, undefined)).toBe('none');
      }),
    );
  });

  it('has drifted when a single value of ours was changed or taken away', () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        for (const spec of withOneChange(manifest.spec)) {
          expect(driftOf({ ...manifest, spec } as KubeObject, manifest, undefined)).toBe('edited');
        }
      }),
      { numRuns: 30 },
    );
  });
});
