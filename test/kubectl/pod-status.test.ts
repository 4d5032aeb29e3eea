import { expect, it } from '@jest/globals';
import { podSummary } from '../../src/kubectl/pod-status.ts';
import type { Pod } from '../../src/runtime/built-in.ts';
import { IN_PLACE } from '../../src/workload/in-place/names.ts';
import { formatInPlaceRecord, type InPlaceRecord } from '../../src/workload/in-place/record.ts';

const LEAVING: InPlaceRecord = { from: 'a', to: 'b', at: '2026-01-01T00:00:00Z' };
const CHANGED: InPlaceRecord = { ...LEAVING, changed: { generation: 2, containers: {} } };

function pod(record: InPlaceRecord, waiting?: string): Pod {
  const state = waiting === undefined ? {} : { waiting: { reason: waiting } };
  return {
    metadata: { name: 'web-1', uid: 'u', annotations: { [IN_PLACE]: formatInPlaceRecord(record) } },
    spec: { containers: [{ name: 'web' }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'web', ready: true, restartCount: 0, state }],
    },
  } as unknown as Pod;
}

it.each([
  { what: 'leaves its Services', given: pod(LEAVING), status: 'LeavingServices', health: 'changing' },
  { what: 'gets other containers', given: pod(CHANGED), status: 'ChangingInPlace', health: 'changing' },
  {
    what: 'cannot pull its new image',
    given: pod(CHANGED, 'ImagePullBackOff'),
    status: 'ImagePullBackOff',
    health: 'failing',
  },
])(
  'a pod that is changed in place and $what is not ready, whatever its condition says',
  ({ given, status, health }) => {
    expect(podSummary(given)).toMatchObject({ status, health });
  },
);
