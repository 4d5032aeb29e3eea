import { describe, expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { answerTo } from '../../../src/kinds/model-box/drift.ts';
import { plan } from '../../../src/kinds/model-box/plan.ts';
import type { Snapshot } from '../../../src/kinds/model-box/snapshot.ts';
import type { ModelBox, ModelBoxSpec } from '../../../src/kinds/model-box/types.gen.ts';
import { wantedBy } from '../../../src/kinds/model-box/wanted.ts';
import type { ObjectMeta } from '../../../src/runtime/object.ts';
import { addressed, modelBox, NOW, rolledOut, stored } from './fixture.ts';

interface World {
  readonly object?: ModelBox;
  /** The spec that was applied last. */
  readonly before?: Partial<ModelBoxSpec>;
  readonly deployment?: Deployment | undefined;
  readonly service?: Service | undefined;
}

/** A ModelBox and what became of it; as it should be unless told otherwise. */
function snapshot({ object = modelBox(), before, ...found }: World = {}): Snapshot {
  const wanted = wantedBy({ ...object, spec: { ...object.spec, ...before } });
  const deployment = 'deployment' in found ? found.deployment : rolledOut(stored<Deployment>(wanted.deployment));
  const service = 'service' in found ? found.service : addressed(stored<Service>(wanted.service));
  return { object, deployment: { live: deployment, answer: undefined }, service: { live: service, answer: undefined } };
}

/** `do kind reason` of every action, and why it is not ready. */
function summary(snapshot: Snapshot): { actions: string[]; ready: string | undefined } {
  const { actions, status } = plan(snapshot, NOW);
  return {
    actions: actions.map((action) => `${action.do} ${action.kind}: ${action.event.reason}`),
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.reason,
  };
}

const wanted = wantedBy(modelBox());
const deployment = rolledOut(stored<Deployment>(wanted.deployment));
const service = addressed(stored<Service>(wanted.service));

function withMetadata<T extends Deployment | Service>(child: T, metadata: Partial<ObjectMeta>): T {
  return { ...child, metadata: { ...child.metadata, ...metadata } };
}

describe('what to do about a ModelBox', () => {
  const going = '2026-01-01T00:00:00Z';
  const elsewhere = [{ apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'other-uid', controller: true }];
  const headless = addressed(stored<Service>(wantedBy(modelBox({ serviceType: 'Headless' })).service));

  it.each<{ name: string; world: World; actions: string[]; ready: string | undefined }>([
    { name: 'as it should be', world: {}, actions: [], ready: 'Ready' },
    {
      name: 'new',
      world: { deployment: undefined, service: undefined },
      actions: ['create Deployment: Created', 'create Service: Created'],
      ready: 'Missing',
    },
    {
      name: 'its Deployment deleted',
      world: { deployment: undefined },
      actions: ['create Deployment: Created'],
      ready: 'Missing',
    },
    {
      name: 'its Service deleted',
      world: { service: undefined },
      actions: ['create Service: Created'],
      ready: 'Missing',
    },
    {
      name: 'another image wanted',
      world: { before: { image: 'web:0' } },
      actions: ['apply Deployment: Updated'],
      ready: 'OutOfDate',
    },
    {
      name: 'another type of Service wanted',
      world: { before: { serviceType: 'NodePort' } },
      actions: ['apply Service: Updated'],
      ready: 'OutOfDate',
    },
    {
      name: 'its Deployment edited',
      world: { deployment: { ...deployment, spec: { ...deployment.spec, replicas: 7 } } },
      actions: ['apply Deployment: Repaired'],
      ready: 'RollingOut',
    },
    {
      name: 'its Service edited',
      world: { service: { ...service, spec: { ...service.spec, selector: {} } } },
      actions: ['apply Service: Repaired'],
      ready: 'Ready',
    },
    {
      name: 'its Deployment without an owner',
      world: { deployment: withMetadata(deployment, { ownerReferences: [] }) },
      actions: ['apply Deployment: Adopted'],
      ready: 'Ready',
    },
    {
      name: 'a Deployment of its name that somebody made by hand',
      world: { deployment: withMetadata(deployment, { ownerReferences: [], labels: {} }) },
      actions: [],
      ready: 'NameTaken',
    },
    {
      name: 'a Service of its name that another controller owns',
      world: { service: withMetadata(service, { ownerReferences: elsewhere }) },
      actions: [],
      ready: 'NameTaken',
    },
    {
      name: 'its Deployment being deleted',
      world: { deployment: withMetadata(deployment, { deletionTimestamp: going }) },
      actions: [],
      ready: 'Terminating',
    },
    {
      name: 'its Deployment being deleted, and its Service of another',
      world: {
        deployment: withMetadata(deployment, { deletionTimestamp: going }),
        service: withMetadata(service, { ownerReferences: elsewhere }),
      },
      actions: [],
      ready: 'Terminating',
    },
    {
      name: 'to become headless',
      world: { object: modelBox({ serviceType: 'Headless' }), service },
      actions: ['delete Service: Replaced'],
      ready: 'OutOfDate',
    },
    {
      name: 'to get an address',
      world: { service: headless },
      actions: ['delete Service: Replaced'],
      ready: 'OutOfDate',
    },
    {
      name: 'to become headless while its Service is an ExternalName, which has no address to lose',
      world: {
        object: modelBox({ serviceType: 'Headless' }),
        service: { ...service, spec: { ...service.spec, clusterIP: '', type: 'ExternalName' } },
      },
      actions: ['apply Service: Updated'],
      ready: 'OutOfDate',
    },
    {
      name: 'to become headless while another owns the Service',
      world: {
        object: modelBox({ serviceType: 'Headless' }),
        service: withMetadata(service, { ownerReferences: elsewhere }),
      },
      actions: [],
      ready: 'NameTaken',
    },
    {
      name: 'being deleted',
      world: {
        object: modelBox({}, { metadata: { ...modelBox().metadata, deletionTimestamp: going } }),
        deployment: undefined,
      },
      actions: [],
      ready: undefined,
    },
  ])('$name', ({ world, actions, ready }) => {
    expect(summary(snapshot(world))).toEqual({ actions, ready });
  });

  it.each([
    { world: { object: modelBox({ serviceType: 'Headless' }), service }, says: 'without an address' },
    { world: { service: headless }, says: 'with an address' },
  ])('says that the Service is made anew $says', ({ world, says }) => {
    const [action] = plan(snapshot(world), NOW).actions;
    expect(action?.event.message).toBe(`Deleted Service "web" to make it anew ${says}`);
  });

  it('is nothing when it is gone', () => {
    expect(plan(undefined, NOW)).toEqual({ actions: [], events: [], status: undefined });
  });

  it('comes out the same however often it is asked, and writes nothing new into a status that is right', () => {
    const { status } = plan(snapshot(), NOW);
    const again = snapshot({ object: modelBox({}, { ...(status && { status }) }) });
    expect(plan(again, NOW + 3_600_000)).toEqual({ actions: [], events: [], status });
  });

  it('tells the user once about each object of its name that is not its own', () => {
    const service = withMetadata(addressed(stored<Service>(wanted.service)), { ownerReferences: elsewhere });
    const first = plan(snapshot({ service }), NOW);
    const message = 'Service "web" exists and is not of this ModelBox';
    expect(first.events).toEqual([{ type: 'Warning', reason: 'NameTaken', message }]);
    expect(first.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', reason: 'NameTaken' }));
    const told = modelBox({}, first.status && { status: first.status });
    expect(plan(snapshot({ object: told, service }), NOW).events).toEqual([]);
    const deployment = withMetadata(stored<Deployment>(wanted.deployment), { ownerReferences: elsewhere });
    expect(plan(snapshot({ object: told, deployment, service }), NOW).events).toMatchObject([
      { message: 'Deployment "web" exists and is not of this ModelBox' },
    ]);
  });

  it('says nothing to the user about what is only on its way out', () => {
    const deployment = withMetadata(stored<Deployment>(wanted.deployment), { deletionTimestamp: going });
    expect(plan(snapshot({ deployment }), NOW).events).toEqual([]);
  });
});

describe('an apply', () => {
  it('names the object and the version that it was decided about, so that it cannot come too late', () => {
    const [action] = plan(snapshot({ before: { image: 'web:0' } }), NOW).actions;
    expect(action).toMatchObject({ uid: 'child-uid', resourceVersion: '7', adopts: false, keepReplicas: undefined });
  });

  it('asks for a look at the owner before it takes something back', () => {
    const orphan = withMetadata(deployment, { ownerReferences: [] });
    expect(plan(snapshot({ deployment: orphan }), NOW).actions).toMatchObject([{ adopts: true }]);
  });

  it('keeps the number of pods when the ModelBox stops deciding it', () => {
    const { replicas: _, ...spec } = modelBox().spec;
    const undecided = { ...modelBox(), spec };
    const scaled = { ...deployment, spec: { ...deployment.spec, replicas: 5 } };
    expect(plan(snapshot({ object: undecided, deployment: scaled }), NOW).actions).toMatchObject([{ keepReplicas: 5 }]);

    const handedOver = { ...stored<Deployment>(wantedBy(undecided).deployment) };
    handedOver.spec = { ...handedOver.spec, replicas: 5 };
    const changed = { ...undecided, spec: { ...spec, image: 'web:2' } };
    expect(plan(snapshot({ object: changed, deployment: handedOver }), NOW).actions).toMatchObject([
      { keepReplicas: undefined },
    ]);
  });

  it('is not repeated for what the API server made of it', () => {
    const live: Deployment = JSON.parse(JSON.stringify(deployment).replaceAll('"web:1"', '"mirror.local/web:1"'));
    const found = snapshot({ deployment: live });
    expect(summary(found).actions).toEqual(['apply Deployment: Repaired']);
    const answered = { ...found, deployment: { live, answer: answerTo(wanted.deployment, live) } };
    expect(summary(answered).actions).toEqual([]);
  });
});
