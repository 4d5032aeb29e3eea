import { describe, expect, it } from '@jest/globals';
import { type Action, stageOf } from '../../src/workload/action.ts';

const object = { name: 'x', uid: 'u' };
const source = { hash: 'h', template: { spec: { containers: [] } }, selector: {} };

describe('the stage of an action', () => {
  it.each<{ action: Action; stage: string }>([
    { action: { do: 'adoptPod', ...object }, stage: 'claim' },
    { action: { do: 'releasePod', ...object }, stage: 'claim' },
    { action: { do: 'adoptRevision', ...object }, stage: 'claim' },
    { action: { do: 'updateOwner', resourceVersion: '1', annotations: {} }, stage: 'record' },
    { action: { do: 'createRevision', manifest: { metadata: {}, revision: 1 } }, stage: 'record' },
    { action: { do: 'updateRevision', ...object, resourceVersion: '1', annotations: {} }, stage: 'record' },
    { action: { do: 'createPods', revision: 'r', source, count: 1 }, stage: 'pods' },
    { action: { do: 'createNamedPods', revision: 'r', pods: [{ name: 'x', source }] }, stage: 'pods' },
    { action: { do: 'deletePod', ...object, revision: 'r', because: 'b' }, stage: 'pods' },
    { action: { do: 'deleteRevision', ...object, because: 'b' }, stage: 'forget' },
  ])('$action.do: $stage', ({ action, stage }) => {
    expect(stageOf(action)).toBe(stage);
  });
});
