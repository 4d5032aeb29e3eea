// Whether the operator has seen the newest spec, and whether it runs at all. The Lease says when the leader was last alive;
// the managed fields say when the spec was last written. Users often may not read the Lease: nothing is concluded from its
// absence.

import type { MyDeployment } from '../../kinds/my-deployment/types.gen.ts';
import type { Lease } from '../../runtime/built-in.ts';
import { shardOfLease } from '../../runtime/shards/layout.ts';
import { timeOf } from '../../workload/pod.ts';
import { formatDuration } from '../duration.ts';
import type { Cause, Facts } from './cause.ts';

/** A leader that has not renewed its lease for this long after the lease ran out does not run; clocks differ a little. */
const LEASE_GRACE_MS = 10_000;
const DEFAULT_LEASE_SECONDS = 15;

/** An operator that runs reports on a new spec much sooner than this. */
const REPORTS_WITHIN_MS = 10_000;

/** The operator has not reported on the newest spec, or its lease has run out. */
export function operatorAway({ rollout: { object }, lease, now }: Facts): Cause[] {
  const { generation = 0 } = object.metadata;
  const observed = Math.max(0, object.status?.observedGeneration ?? 0);
  const isBehind = observed < generation;
  const leader = leaderState(lease, now);
  if (!isBehind && leader.is !== 'gone') return [];
  const evidence = [
    `status.observedGeneration is ${observed}, metadata.generation is ${generation}`,
    ...(leader.words === undefined ? [] : [`lease ${lease?.metadata.name}: ${leader.words}`]),
  ];
  const unseen = `has not seen the newest spec (generation ${generation}, it saw ${observed || 'none'})`;
  const away = (sentence: string): Cause[] => [
    {
      name: 'operator-away',
      sentence,
      evidence,
      advice: "kubectl -n mydeployment-system get pods lists the operator's pods; their logs say more.",
    },
  ];
  if (leader.is === 'gone') {
    return away(`The operator does not run: ${leader.because}${isBehind ? `, and ${unseen}` : ''}.`);
  }
  const change = changeOf(object, leader, now);
  const subject = `The spec ${change.words} (generation ${generation})`;
  if (change.isRecent) {
    const runs = leader.is === 'alive' ? 'the operator runs, and' : 'the operator';
    const sentence = `${subject}: ${runs} has not reported on this generation yet.`;
    return [{ name: 'just-changed', sentence, evidence, advice: 'Ask again in a moment.' }];
  }
  if (leader.is === 'unknown') return away(`The operator ${unseen}: it does not run, or is far behind.`);
  const saw = observed === 0 ? 'it saw none yet' : `it saw generation ${observed}`;
  return away(`${subject}: the operator runs, but is far behind: ${saw}.`);
}

/** Which replica works on the namespace, where replicas share the namespaces; undefined where one replica has all. */
export function inCharge(lease: Lease | undefined): string | undefined {
  const shard = shardOfLease(lease?.metadata.name);
  if (shard === undefined) return undefined;
  const holder = lease?.spec?.holderIdentity;
  // The holder is `HOST_UUID`, and the host of a pod is its name.
  const who = holder ? holder.replace(/_[^_]*$/, '') : 'no replica';
  return `${who} works on this namespace (shard ${shard})`;
}

/** How long ago the spec changed. Where the API server does not say, an operator that runs has had no time yet. */
function changeOf(object: MyDeployment, leader: LeaderState, now: number): { words: string; isRecent: boolean } {
  const writtenAt = specWrittenAt(object);
  if (writtenAt === undefined) return { words: 'has just changed', isRecent: leader.is === 'alive' };
  const age = now - writtenAt;
  return { words: `changed ${formatDuration(age)} ago`, isRecent: age <= REPORTS_WITHIN_MS };
}

type LeaderState =
  | { readonly is: 'unknown'; readonly words?: undefined }
  | { readonly is: 'alive'; readonly words: string }
  | { readonly is: 'gone'; readonly words: string; readonly because: string };

function leaderState(lease: Lease | undefined, now: number): LeaderState {
  const renewed = timeOf(lease?.spec?.renewTime);
  if (renewed === undefined) return { is: 'unknown' };
  const { leaseDurationSeconds = DEFAULT_LEASE_SECONDS, holderIdentity } = lease?.spec ?? {};
  const ago = `${formatDuration(now - renewed)} ago`;
  if (holderIdentity === '') return { is: 'gone', words: `released ${ago}`, because: `it released its lease ${ago}` };
  const words = `renewed ${ago}`;
  return now - renewed > leaseDurationSeconds * 1_000 + LEASE_GRACE_MS
    ? { is: 'gone', words, because: `it renewed its lease ${ago}` }
    : { is: 'alive', words };
}

/** When the object was last written, its status apart; undefined when the API server does not say. */
function specWrittenAt({ metadata }: MyDeployment): number | undefined {
  const { managedFields = [] } = metadata as {
    readonly managedFields?: readonly { readonly time?: string; readonly subresource?: string }[];
  };
  const times = managedFields
    .filter(({ subresource }) => subresource !== 'status')
    .flatMap(({ time }) => timeOf(time) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}
