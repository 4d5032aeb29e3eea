import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/runtime/object.ts';
import { brokenUnderPolicies, PolicyPromises, type RecordedPolicy } from './policy-promises.ts';
import type { Recorded } from './rollout-promises.ts';

type Event = Recorded | RecordedPolicy;

const PREFIX = 'mydeployment.kubebuilder.zq.com';

function event(kind: Event['kind'], type: Event['type'], object: object): Event {
  return { kind, type, object: object as KubeObject, at: 0 } as unknown as Event;
}

function web(type: Event['type'], uid: string): Event {
  const metadata = { namespace: 'default', name: 'web', uid, generation: 1 };
  return event('MyDeployment', type, { metadata, spec: { replicas: 10 } });
}

const policy = event('RolloutPolicy', 'ADDED', {
  metadata: { namespace: 'default', name: 'web', uid: 'policy' },
  spec: { targetRef: { name: 'web' }, steps: [{ replicas: 1 }] },
});

function revision(type: Event['type'], number: number, annotations: Readonly<Record<string, unknown>>): Event {
  const written = Object.entries(annotations).map(([key, value]) => [`${PREFIX}/${key}`, JSON.stringify(value)]);
  const metadata = {
    name: `web-${number}`,
    uid: `web-${number}`,
    labels: { 'controller.kubernetes.io/hash': String(number) },
    annotations: Object.fromEntries(written),
    ownerReferences: [{ controller: true, uid: 'first', kind: 'MyDeployment', name: 'web' }],
  };
  return event('ControllerRevision', type, { metadata, revision: number });
}

const step = { number: 2, policy: 'policy', steps: 'digest', step: 1, stable: 'web-1' };
const stable = { replicas: 9, completed: 1 };

/** In the first step of a rollout. */
const story = [
  web('ADDED', 'first'),
  policy,
  revision('ADDED', 1, stable),
  revision('ADDED', 2, { replicas: 1, step }),
];

function brokenBy(...events: readonly Event[]): string[] {
  const promises = new PolicyPromises({ harmed: new Set() });
  return events.flatMap((each) => promises.take(each));
}

describe('what a policy promises', () => {
  it('is broken by a new revision that grows past its step', () => {
    const grown = revision('MODIFIED', 2, { replicas: 2, step });
    expect(brokenBy(...story)).toEqual([]);
    expect(brokenBy(...story, grown)).toEqual(['web-2, number 2: has 2 pods in step 1, where 1 are allowed']);
  });

  it('holds for every object that has a policy, in the order of versions', () => {
    const numbered = (events: readonly Event[]): Event[] =>
      events.map((each, index) => {
        const metadata = { ...each.object.metadata, resourceVersion: String(index) };
        return { ...each, object: { ...each.object, metadata } } as Event;
      });
    const grown = revision('MODIFIED', 2, { replicas: 2, step });
    const history = numbered([...story, grown]);
    expect(brokenUnderPolicies(history.toReversed(), { harmed: new Set() })).toHaveLength(1);
    expect(brokenUnderPolicies(numbered(story), { harmed: new Set() })).toEqual([]);
    const without = numbered([...story.filter(({ kind }) => kind !== 'RolloutPolicy'), grown]);
    expect(brokenUnderPolicies(without, { harmed: new Set() })).toEqual([]);
  });

  it('is broken when the stable revision is forgotten, but not when its object goes', () => {
    const gone = revision('DELETED', 1, stable);
    expect(brokenBy(...story, gone)).toEqual(['the stable revision web-1 was forgotten']);
    expect(brokenBy(...story, web('DELETED', 'first'), gone)).toEqual([]);
    expect(brokenBy(...story, web('DELETED', 'first'), web('ADDED', 'second'), gone)).toEqual([]);
  });
});
