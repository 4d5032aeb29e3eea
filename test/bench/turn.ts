// One contender's turn in one round: start it, let it warm up, let it do each work, and leave everything as it was. Only
// the contender whose turn it is runs, so nobody pays for the watches of another.

import type { Cluster } from '../../src/cluster/cluster.ts';
import type { AuditLog } from './audit-log.ts';
import type { Contender, ContenderName } from './contenders/contender.ts';
import { measure, type Sample } from './sample.ts';
import { Stage } from './stage.ts';
import type { Work } from './work/work.ts';

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

/** A turn of controllers. */
export async function playTurn(contender: Contender, works: readonly Work[], props: TurnProps): Promise<void> {
  const { cluster, audit, size, signal, round, onSample } = props;
  const { name, users } = contender;
  const { kubeconfig, client } = cluster;
  const stage = await Stage.open({ contender, client, kubeconfig, namespace: namespaceOf(name), size, signal });
  const subject = { pid: () => stage.pid, users, audit };
  const settle = (): Promise<void> => stage.rest(SETTLE_MS);
  try {
    await warmUp(stage);
    for (const work of works) {
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

/** A controller at work for days has warm caches and compiled code; nobody is measured in its first second. */
async function warmUp(stage: Stage): Promise<void> {
  const { scenery, size } = stage;
  await scenery.web(warmUpSize(size));
  await scenery.roll();
  await stage.until('all pods are new', scenery.isUp);
  await scenery.clear();
}

/** A tenth of what will be measured. */
export function warmUpSize(size: number): number {
  return Math.ceil(size / 10);
}
