import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from '../../src/workload/canonical.ts';
import {
  buildRevision,
  type ControllerRevision,
  compareRevisions,
  hashOf,
  revisionData,
  sameTemplate,
  templateOf,
} from '../../src/workload/revision.ts';
import type { PodTemplate } from '../../src/workload/template-schema.ts';

const owner = {
  apiVersion: 'kubebuilder.zq.com/v1beta1',
  kind: 'MyDeployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', resourceVersion: '1' },
};
const template: PodTemplate = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.25' }] },
};

interface Golden {
  readonly template: PodTemplate;
  readonly data: string;
  readonly hashes: Readonly<Record<string, string>>;
}

const folder = new URL('./golden/', import.meta.url);
const goldens = readdirSync(folder).map((file) => ({
  file,
  golden: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden,
}));

describe('stateful_set_compatibility_test.go TestStatefulSetCompatibility: revisions of earlier versions', () => {
  it('has files to compare with', () => {
    expect(goldens.map(({ file }) => file).sort()).toEqual(['every-shape.json', 'minimal.json']);
  });

  it.each(goldens)('$file: the same data and the same hashes, for ever', ({ golden }) => {
    expect(canonicalJson(revisionData(golden.template))).toBe(golden.data);
    for (const [collisionCount, hash] of Object.entries(golden.hashes)) {
      const built = buildRevision(owner, source({ template: golden.template, collisionCount: Number(collisionCount) }));
      expect(hashOf(built as ControllerRevision)).toBe(hash);
    }
  });

  it.each(goldens)('$file: read back, it is still the template it was made from', ({ golden }) => {
    const stored = { data: JSON.parse(golden.data) as unknown };
    expect(sameTemplate(templateOf(stored), golden.template)).toBe(true);
    expect(canonicalJson(revisionData(templateOf(stored) as PodTemplate))).toBe(golden.data);
  });

  it('does not mind the null timestamp that servers before 1.34 wrote', () => {
    const before = {
      ...template,
      metadata: { ...template.metadata, creationTimestamp: null },
    } as unknown as PodTemplate;
    expect(sameTemplate(before, template)).toBe(true);
    expect(canonicalJson(revisionData(before))).toBe(canonicalJson(revisionData(template)));
  });
});

describe('a new revision', () => {
  it('is owned, labelled, numbered and named after its content', () => {
    expect(buildRevision(owner, source({ number: 3, annotations: { why: 'because' } }))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: 'web-57766f7c78',
        namespace: 'shop',
        labels: { app: 'web', 'controller.kubernetes.io/hash': '57766f7c78' },
        annotations: { why: 'because' },
        ownerReferences: [
          {
            apiVersion: 'kubebuilder.zq.com/v1beta1',
            kind: 'MyDeployment',
            name: 'web',
            uid: 'web-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      data: {
        spec: {
          template: {
            $patch: 'replace',
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ image: 'nginx:1.25', name: 'web' }] },
          },
        },
      },
      revision: 3,
    });
  });

  it('gets another name after a collision', () => {
    const names = [0, 1].map((collisionCount) => buildRevision(owner, source({ collisionCount })).metadata.name);
    expect(names).toEqual(['web-57766f7c78', 'web-57766f7c79']);
  });

  it.each([
    { name: 'short name', length: 13, kept: 13 },
    { name: 'maximum length without truncating', length: 223, kept: 223 },
    { name: 'very long name is truncated', length: 253, kept: 223 },
  ])('sync_test.go TestGenerateReplicaSetName: $name', ({ length, kept }) => {
    const called = { ...owner, metadata: { ...owner.metadata, name: 'a'.repeat(length) } };
    expect(buildRevision(called, source({})).metadata.name).toBe(`${'a'.repeat(kept)}-57766f7c78`);
  });
});

describe('what a revision recorded', () => {
  it.each([
    { name: 'nothing', data: undefined },
    { name: 'text', data: 'x' },
    { name: 'no spec', data: {} },
    { name: 'no template', data: { spec: {} } },
    { name: 'a template that is none', data: { spec: { template: null } } },
  ])('is no template: $name', ({ data }) => {
    expect(templateOf({ data })).toBeUndefined();
    expect(sameTemplate(templateOf({ data }), template)).toBe(false);
  });

  it('stateful_set_utils_test.go TestCreateApplyRevision: comes back as it was, without the patch directive', () => {
    const { data } = buildRevision(owner, source({ annotations: { why: 'first' } }));
    expect(templateOf({ data })).toEqual(template);
    const changed = { ...template, metadata: { labels: { app: 'web', tier: 'front' } } };
    expect(templateOf({ data: revisionData(changed) })).toEqual(changed);
    expect(templateOf({ data })).toEqual(template);
  });

  it('stateful_set_utils_test.go TestRollingUpdateApplyRevision: going back takes away what came later', () => {
    const container = { name: 'web', image: 'nginx:1.25', env: [{ name: 'KEY', value: 'value' }] };
    const changed: PodTemplate = { ...template, spec: { containers: [container] } };
    const [before, after] = [template, changed].map((one) => ({ data: revisionData(one) }));
    expect(templateOf(after ?? {})).toEqual(changed);
    expect(templateOf(before ?? {})?.spec.containers[0]).not.toHaveProperty('env');
    // Put over the changed one, it replaces instead of being merged into it.
    expect(before?.data).toMatchObject({ spec: { template: { $patch: 'replace' } } });
  });
});

describe('controller_history_test.go TestFindEqualRevisions', () => {
  const other: PodTemplate = { ...template, metadata: { labels: { goo: 'car' } } };

  it.each([
    { name: 'finds equivalent', revisions: [template, other, other], found: 1 },
    { name: 'finds nothing when empty', revisions: [], found: 0 },
    { name: 'finds nothing with no matches', revisions: [other, other], found: 0 },
  ])('$name', ({ revisions, found }) => {
    const data = revisions.map((one) => ({ data: revisionData(one) }));
    expect(data.filter((one) => sameTemplate(templateOf(one), template))).toHaveLength(found);
  });

  it('takes what nobody knows for equal to nothing, not even to what nobody knows either', () => {
    expect(sameTemplate(undefined, template)).toBe(false);
    expect(sameTemplate(template, undefined)).toBe(false);
    expect(sameTemplate(undefined, undefined)).toBe(false);
  });
});

describe('controller_history_test.go TestSortControllerRevisions', () => {
  const one = revision('one', 1, 0);
  const two = revision('two', 2, 0);
  const three = revision('three', 3, 0);
  const threeLater = revision('later', 3, 1);
  const threeLaterToo = revision('later-too', 3, 1);

  it.each([
    { name: 'out of order', revisions: [two, one, three], sorted: ['one', 'two', 'three'] },
    { name: 'sorted', revisions: [one, two, three], sorted: ['one', 'two', 'three'] },
    { name: 'reversed', revisions: [three, two, one], sorted: ['one', 'two', 'three'] },
    {
      name: 'with ties',
      revisions: [threeLaterToo, three, threeLater, two, one],
      sorted: ['one', 'two', 'three', 'later', 'later-too'],
    },
    {
      name: 'ties in the order of their names',
      revisions: [threeLater, threeLaterToo],
      sorted: ['later', 'later-too'],
    },
    { name: 'empty', revisions: [], sorted: [] },
  ])('$name', ({ revisions, sorted }) => {
    expect(revisions.toSorted(compareRevisions).map(({ metadata }) => metadata.name)).toEqual(sorted);
  });

  function revision(name: string, number: number, second: number): ControllerRevision {
    const creationTimestamp = `2026-01-01T00:00:0${second}Z`;
    return { metadata: { name, uid: name, resourceVersion: '1', creationTimestamp }, revision: number };
  }
});

describe('the hash of a revision', () => {
  it.each([
    { name: 'in its label', labels: { 'controller.kubernetes.io/hash': 'abc' }, hash: 'abc' },
    { name: 'at the end of its name, should the label be lost', labels: {}, hash: '57766f7c78' },
  ])('is $name', ({ labels, hash }) => {
    expect(hashOf({ metadata: { name: 'my-web-57766f7c78', uid: 'u', resourceVersion: '1', labels } })).toBe(hash);
  });
});

function source(traits: Partial<Parameters<typeof buildRevision>[1]>) {
  return { template, number: 1, collisionCount: 0, annotations: {}, ...traits };
}
