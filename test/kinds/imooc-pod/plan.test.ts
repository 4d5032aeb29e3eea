import { describe, expect, it } from '@jest/globals';
import { imoocPodOwner } from '../../../src/kinds/imooc-pod/plan.ts';
import { FINALIZER } from '../../../src/kinds/imooc-pod/schema.ts';
import type { Action } from '../../../src/workload/action.ts';
import type { Pod } from '../../../src/workload/pod.ts';
import { imoocPod, type Look, NOW, pods, snapshotOf } from './fixture.ts';

const { plan } = imoocPodOwner;

/** Actions in a few words. */
function inShort(actions: readonly Action[]): string[] {
  return actions.map((action) => {
    if (action.do === 'createPods') return `create ${action.count}`;
    return 'name' in action ? `${action.do} ${action.name}` : action.do;
  });
}

const DELETED = '2026-01-01T12:00:00Z';

describe('as many pods as it asks for', () => {
  it.each<{ name: string; replicas?: number; looks: Look[]; actions: string[]; tells: string[] }>([
    { name: 'none there', replicas: 3, looks: [], actions: ['create 3'], tells: ['Created 3 pods'] },
    { name: 'replicas left out mean one', looks: [], actions: ['create 1'], tells: ['Created 1 pods'] },
    { name: 'all there', replicas: 2, looks: ['ready', 'starting'], actions: [], tells: [] },
    {
      name: 'one too many: the one that serves nobody',
      replicas: 1,
      looks: ['ready', 'starting'],
      actions: ['deletePod p1'],
      tells: ['Deleted 1 pods that were too many'],
    },
    {
      name: 'scaled to zero',
      replicas: 0,
      looks: ['ready', 'ready'],
      actions: ['deletePod p0', 'deletePod p1'],
      tells: ['Deleted 2 pods that were too many'],
    },
    {
      name: 'pods that ended are replaced',
      replicas: 3,
      looks: ['done', 'failed', 'ready'],
      actions: ['deletePod p0', 'deletePod p1', 'create 2'],
      tells: ['Created 2 pods', 'Deleted 2 pods that had ended'],
    },
    {
      name: 'a pod that is being deleted counts no more',
      replicas: 2,
      looks: ['terminating', 'ready'],
      actions: ['create 1'],
      tells: ['Created 1 pods'],
    },
    {
      name: 'pods of others do not count',
      replicas: 1,
      looks: ['stranger'],
      actions: ['create 1'],
      tells: ['Created 1 pods'],
    },
    {
      name: 'no more at once than the burst',
      replicas: 1000,
      looks: [],
      actions: ['create 500'],
      tells: ['Created 500 pods'],
    },
    {
      name: 'no more away at once than the burst',
      replicas: 0,
      looks: Array.from({ length: 501 }, () => 'ready'),
      // By their UIDs; the last of 501 stays.
      actions: Array.from({ length: 501 }, (_, index) => `deletePod p${index}`).filter((what) => !what.endsWith('p99')),
      tells: ['Deleted 500 pods that were too many'],
    },
    {
      name: 'no more that ended away at once than the burst',
      replicas: 0,
      looks: Array.from({ length: 501 }, () => 'done'),
      actions: Array.from({ length: 500 }, (_, index) => `deletePod p${index}`),
      tells: ['Deleted 500 pods that had ended'],
    },
  ])('$name', ({ replicas, looks, actions, tells }) => {
    const planned = plan(snapshotOf(replicas === undefined ? {} : { replicas }, ...looks), NOW);
    expect(inShort(planned.actions).sort()).toEqual(actions.sort());
    expect(planned.events).toEqual(
      tells.map((message) => ({
        type: 'Normal',
        reason: message.startsWith('Created') ? 'SuccessfulCreate' : 'SuccessfulDelete',
        message,
      })),
    );
    expect(planned.isCleanedUp).toBeFalsy();
    expect(planned.checkAgainAt).toBeUndefined();
  });

  it('take ready pods for available: the cheaper goes, although the other became ready just now', () => {
    const [settled, fresh] = pods('ready', 'ready') as [Pod, Pod];
    const since = (lastTransitionTime: string) => ({
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
    });
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': '-1' };
    const cheap = { ...settled, metadata: { ...settled.metadata, annotations }, status: since('2026-01-01T11:00:00Z') };
    const planned = plan(
      { object: imoocPod({ replicas: 1 }), pods: [cheap, { ...fresh, status: since('2026-01-01T12:00:00Z') }] },
      NOW,
    );
    expect(inShort(planned.actions)).toEqual(['deletePod p0']);
  });

  it('leave a pod alone that has ended and is being deleted', () => {
    const [ended] = pods('done') as [Pod];
    const going = { ...ended, metadata: { ...ended.metadata, deletionTimestamp: DELETED } };
    expect(plan({ object: imoocPod({ replicas: 0 }), pods: [going] }, NOW).actions).toEqual([]);
  });

  it('are busybox pods that sleep, with the label of their ImoocPod', () => {
    expect(plan(snapshotOf({ replicas: 1 }), NOW).actions).toEqual([
      {
        do: 'createPods',
        revision: 'busybox',
        count: 1,
        source: {
          template: {
            metadata: { labels: { app: 'nap' } },
            spec: {
              securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: 'RuntimeDefault' } },
              containers: [
                {
                  name: 'busybox',
                  image: 'busybox',
                  command: ['sleep', '3600'],
                  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                },
              ],
            },
          },
          selector: { matchLabels: { app: 'nap' } },
        },
      },
    ]);
  });
});

it('leaves pods alone that an operator of another version has made from another template', () => {
  const { object, pods } = snapshotOf({ replicas: 1 }, 'ready');
  const older = pods.map((pod) => ({ ...pod, spec: { ...pod.spec, containers: [{ name: 'busybox', image: 'old' }] } }));
  expect(plan({ object, pods: older }, NOW).actions).toEqual([]);
});

describe('whose pods they are', () => {
  it.each<{ name: string; looks: Look[]; actions: string[] }>([
    {
      name: 'an orphan of our making is adopted before anything is counted',
      looks: ['orphan'],
      actions: ['adoptPod nap-pod-orph0'],
    },
    { name: "a user's pod with the label is left alone", looks: ['bare', 'relabelled'], actions: ['releasePod p1'] },
    { name: 'a pod that lost the label is let go', looks: ['relabelled', 'ready'], actions: ['releasePod p0'] },
    { name: 'both', looks: ['orphan', 'relabelled'], actions: ['releasePod p1', 'adoptPod nap-pod-orph0'] },
  ])('$name', ({ looks, actions }) => {
    const planned = plan(snapshotOf({ replicas: 5 }, ...looks), NOW);
    expect(inShort(planned.actions)).toEqual(actions);
    expect(planned.events).toEqual([]);
  });
});

describe('on its way out', () => {
  const deleting = (finalizers: string[] = []) => ({
    replicas: 9,
    metadata: { deletionTimestamp: DELETED, finalizers },
  });

  it.each<{ name: string; looks: Look[]; finalizers: string[]; actions: string[]; isCleanedUp: boolean }>([
    {
      name: 'deletes its pods, ended ones too, and stays',
      looks: ['ready', 'done', 'terminating', 'orphan', 'stranger'],
      finalizers: [],
      actions: ['deletePod p0', 'deletePod p1'],
      isCleanedUp: false,
    },
    {
      name: 'stays for pods that are being deleted',
      looks: ['terminating'],
      finalizers: [],
      actions: [],
      isCleanedUp: false,
    },
    { name: 'may go after the last', looks: ['stranger', 'orphan'], finalizers: [], actions: [], isCleanedUp: true },
    {
      name: 'leaves pods that are to be orphaned',
      looks: ['ready'],
      finalizers: ['orphan'],
      actions: [],
      isCleanedUp: true,
    },
    {
      name: 'waits with the garbage collector in the foreground',
      looks: ['ready'],
      finalizers: ['foregroundDeletion'],
      actions: ['deletePod p0'],
      isCleanedUp: false,
    },
  ])('$name', ({ looks, finalizers, actions, isCleanedUp }) => {
    const planned = plan(snapshotOf(deleting(finalizers), ...looks), NOW);
    expect(inShort(planned.actions)).toEqual(actions);
    expect(planned.isCleanedUp).toBe(isCleanedUp);
    expect(planned.checkAgainAt).toBe(actions.length > 0 ? NOW + 1000 : undefined);
  });

  it('deletes no more pods at once than the burst', () => {
    const looks = Array.from({ length: 600 }, (): Look => 'ready');
    expect(plan(snapshotOf(deleting(), ...looks), NOW).actions).toHaveLength(500);
  });

  it('deletes no pod that somebody has touched since: it may have been orphaned', () => {
    const [action] = plan(snapshotOf(deleting(), 'ready'), NOW).actions;
    expect(action).toMatchObject({ do: 'deletePod', uid: 'uid-0', resourceVersion: '70' });
    const [scaledDown] = plan(snapshotOf({ replicas: 0 }, 'ready'), NOW).actions;
    expect(scaledDown).not.toHaveProperty('resourceVersion');
  });
});

describe('the status', () => {
  it('says how many and which, in alphabetical order', () => {
    const { status } = plan(
      { object: imoocPod({ replicas: 3 }), pods: pods('ready', 'starting', 'done').reverse() },
      NOW,
    );
    expect(status).toEqual({
      observedGeneration: 4,
      replicas: 2,
      readyReplicas: 1,
      podNames: ['p0', 'p1'],
      selector: 'app=nap',
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'PodsNotReady',
          message: '1 of 3 pods are ready',
          lastTransitionTime: '2026-01-01T12:00:00Z',
          observedGeneration: 4,
        },
      ],
    });
  });

  it('lists a hundred names at most', () => {
    const looks = Array.from({ length: 120 }, (): Look => 'ready');
    const { status } = plan(snapshotOf({ replicas: 120 }, ...looks), NOW);
    expect(status?.podNames).toHaveLength(100);
    expect(status).toMatchObject({ replicas: 120, conditions: [{ status: 'True', reason: 'AllPodsReady' }] });
  });

  it.each<{ name: string; replicas: number; looks: Look[]; status: string; reason: string }>([
    { name: 'none wanted, none there', replicas: 0, looks: [], status: 'True', reason: 'AllPodsReady' },
    { name: 'one too many', replicas: 1, looks: ['ready', 'ready'], status: 'False', reason: 'PodsNotReady' },
    { name: 'one starting', replicas: 2, looks: ['ready', 'starting'], status: 'False', reason: 'PodsNotReady' },
    { name: 'one missing', replicas: 2, looks: ['ready'], status: 'False', reason: 'PodsNotReady' },
    {
      name: 'one too many, about to go',
      replicas: 1,
      looks: ['ready', 'starting'],
      status: 'False',
      reason: 'PodsNotReady',
    },
  ])('Ready, $name: $status', ({ replicas, looks, status, reason }) => {
    const planned = plan(snapshotOf({ replicas }, ...looks), NOW);
    expect(planned.status?.conditions).toMatchObject([{ type: 'Ready', status, reason }]);
  });

  it('says what is left to clean up', () => {
    const metadata = { deletionTimestamp: DELETED };
    const { status } = plan(snapshotOf({ metadata }, 'ready', 'terminating'), NOW);
    expect(status?.conditions).toMatchObject([{ status: 'False', reason: 'Deleting', message: '2 pods are left' }]);
  });

  it('keeps the time of a condition that still holds', () => {
    const before = plan(snapshotOf({ replicas: 1 }, 'ready'), NOW - 60_000).status;
    const after = plan(snapshotOf({ replicas: 1, ...(before && { status: before }) }, 'ready'), NOW).status;
    expect(after).toEqual(before);
  });
});

describe('what the framework is told', () => {
  it('holds the ImoocPod until its pods are gone', () => {
    expect(imoocPodOwner.finalizer).toBe(FINALIZER);
  });

  it.each([
    { name: 'is adopted', refused: false, actions: ['adoptPod nap-pod-orph0'] },
    { name: 'is done without while its adoption is refused', refused: true, actions: ['create 1'] },
  ])('an orphan $name', ({ refused, actions }) => {
    const refusal = { reason: 'FailedAdopt', message: 'no', forMs: 1000 } as const;
    const refusals = new Map(refused ? [['uid-0', refusal]] : []);
    const observed = { pods: pods('orphan'), refusals };
    const snapshot = imoocPodOwner.snapshot(imoocPod({ replicas: 1 }), observed as never);
    expect(inShort(plan(snapshot, NOW).actions)).toEqual(actions);
  });
});
