// One contender's turn in one round: start it, let it warm up, let it do each work, and leave everything as it was. Only
// the contender whose turn it is runs, so none pays for the watches of another.

import type { Cluster } from '../../src/cluster/cluster.ts';
import type { KubeObject } from '../../src/runtime/object.ts';
import type { AuditLog } from './audit-log.ts';
import type { Contender, ContenderName, Contenders } from './contenders/contender.ts';
import { DaemonScenery } from './daemon-scenery.ts';
import { isDaemonReported } from './daemon-workload.ts';
import { measure, type Sample } from './sample.ts';
import { Scenery } from './scenery.ts';
import { type Setting, Stage, type StageProps } from './stage.ts';
import type { Reporting } from './stopwatch.ts';
import type { Work } from './work/work.ts';
import { isReported } from './workload.ts';

export interface TurnProps {
  readonly cluster: Cluster;
  readonly audit: AuditLog;
  /** The size of the benchmark, in pods. */
  readonly size: number;
  readonly signal: AbortSignal;
  readonly round: number;
  /** Told of every sample as soon as there is one. */
  readonly onSample: (sample: Sample) => void;
}

/** Until late status writes and Events are over; they count as cost of the work that caused them. */
export const SETTLE_MS = 2_000;

/** Each contender has a namespace of its own. */
export function namespaceOf(contender: ContenderName): string {
  return `bench-${contender}`;
}

/** A turn of controllers, with objects that ask for a number of pods. */
export async function playTurn({ deployment }: Contenders, works: readonly Work[], props: TurnProps): Promise<void> {
  const { client } = props.cluster;
  const { name, kind } = deployment;
  const scenery: SceneryOf<Scenery> = (until) => new Scenery({ client, kind, namespace: namespaceOf(name), until });
  await play(deployment, { scenery, reporting: { resource: kind, isReported } }, works, props);
}

/** A turn of controllers, with an object that wants a pod on every node. */
export async function playDaemonTurn(
  { daemonSet }: Contenders,
  works: readonly Work<DaemonScenery>[],
  props: TurnProps,
): Promise<void> {
  const { client } = props.cluster;
  const { name, kind } = daemonSet;
  const scenery: SceneryOf<DaemonScenery> = (until) =>
    new DaemonScenery({ client, kind, namespace: namespaceOf(name), until });
  const reporting = { resource: kind.resource, isReported: isDaemonReported };
  await play(daemonSet, { scenery, reporting }, works, props);
}

type SceneryOf<S extends Setting> = StageProps<S>['scenery'];

async function play<S extends Setting, T extends KubeObject>(
  contender: Contender,
  objects: { readonly scenery: SceneryOf<S>; readonly reporting: Reporting<T> },
  works: readonly Work<S>[],
  { cluster, audit, size, signal, round, onSample }: TurnProps,
): Promise<void> {
  const { name, users } = contender;
  const { kubeconfig } = cluster;
  const stage = await Stage.open({ contender, ...objects, kubeconfig, namespace: namespaceOf(name), size, signal });
  const subject = { pid: () => stage.pid, users, audit };
  const settle = (): Promise<void> => stage.rest(SETTLE_MS);
  try {
    // A controller at work for days has warm caches and compiled code; none is measured in its first second.
    await stage.scenery.warmUp(warmUpSize(size));
    for (const work of works.filter(({ only = name }) => only === name)) {
      await work.prepare(stage);
      await settle();
      const cost = await measure(subject, () => work.run(stage), settle);
      onSample({ contender: name, round, work: work.name, ...cost });
    }
    await stage.scenery.clear();
  } finally {
    await stage.close();
  }
}

/** A tenth of what will be measured. */
export function warmUpSize(size: number): number {
  return Math.ceil(size / 10);
}
