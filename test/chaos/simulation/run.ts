// Runs one schedule from beginning to end: the acts at their times, then peace, in which everything must come to rest
// within a bound, be as the object says, and stay so without another write.

import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { ControllerRevision } from '../../../src/workload/revision.ts';
import { isUnderChange, readyConditionOf } from '../../support/pod-facts.ts';
import type { Schedule } from './schedule.ts';
import { World } from './world.ts';

export interface Verdict {
  readonly seed: number;
  /** What was broken, with what led to it; undefined when every promise was kept. */
  readonly broken: string | undefined;
  readonly writes: number;
  /** Milliseconds of simulated time from the last fault until everything was at rest. */
  readonly restedAfterMs: number;
  /** Sums up everything that was written: the same schedule gives the same one. */
  readonly fingerprint: string;
}

/** The longest back-off is 30 s, and any of ten pods that are replaced one by one may take 20 s to start and to end. */
const REST_WITHIN_MS = 300_000;
/** Shorter where operators renew their leases meanwhile, which takes its time. */
const QUIET_MS = { usually: 600_000, sharing: 60_000 };
const LOOK_EVERY_MS = 5_000;
/** Together longer than any request that is still under way from rougher times, and than a lost watch is silent. */
const CALM_LOOKS = 10;
/**
 * More than any schedule needs: beyond it an operator writes in circles. An operator that does not hear of the end of its
 * object does so until it notices the silence: it creates pods, and the garbage collector takes them (native does that,
 * too).
 */
const MOST_WRITES = { usually: 1_500, unaware: 15_000 };

/** Runs the schedule, and judges it. */
export async function runSchedule(schedule: Schedule): Promise<Verdict> {
  const world = new World(schedule);
  const { time } = world;
  const start = time.now();
  const mostWrites = MOST_WRITES[isUnaware(schedule) ? 'unaware' : 'usually'];
  const isOver = (): boolean => world.broken !== undefined || world.writes > mostWrites;
  for (const { at, act } of schedule.steps) {
    await time.pass(start + at, isOver);
    if (isOver()) break;
    world.act(act);
  }
  if (!isOver()) world.heal(schedule.end);
  let restsFrom = time.now();
  const quietMs = QUIET_MS[schedule.sharing === undefined ? 'usually' : 'sharing'];
  let unrest = isOver() ? undefined : await comeToRest(world, quietMs, isOver);
  let restedAfterMs = time.now() - restsFrom - quietMs;
  if (unrest === undefined && !isOver() && world.shrink()) {
    restsFrom = time.now();
    unrest = await comeToRest(world, quietMs, isOver);
    restedAfterMs = Math.max(restedAfterMs, time.now() - restsFrom - quietMs);
  }
  const circles =
    world.writes > mostWrites ? `more than ${mostWrites} writes: an operator writes in circles` : undefined;
  return {
    seed: schedule.seed,
    broken: world.broken ?? circles ?? unrest,
    writes: world.writes,
    restedAfterMs,
    fingerprint: world.fingerprint,
  };
}

function isUnaware({ steps }: Schedule): boolean {
  const isDeaf = steps.some(({ act }) => 'plural' in act && act.plural === 'mydeployments' && act.do !== 'cutWatch');
  return isDeaf && steps.some(({ act }) => act.do === 'delete' || act.do === 'recreateObject');
}

/** What is still wrong when everything should long be at rest; undefined when nothing is. */
async function comeToRest(world: World, quietMs: number, isOver: () => boolean): Promise<string | undefined> {
  const { time } = world;
  const deadline = time.now() + REST_WITHIN_MS;
  let wrong = unrestOf(world);
  // Right for once is not at rest: what is right must also have been so a moment ago.
  for (let calm = 0; calm < CALM_LOOKS && time.now() < deadline; ) {
    await time.pass(time.now() + LOOK_EVERY_MS, isOver);
    if (isOver()) return undefined;
    wrong = unrestOf(world);
    calm = wrong === undefined ? calm + 1 : 0;
  }
  if (wrong !== undefined) return `not at rest ${REST_WITHIN_MS / 1000} s after the last fault: ${wrong}`;
  const before = world.writes;
  await time.pass(time.now() + quietMs, isOver);
  if (world.writes !== before) return `${world.writes - before} writes after everything was at rest`;
  const later = unrestOf(world);
  return later === undefined ? undefined : `no longer at rest: ${later}`;
}

/** How the cluster differs from what the object asks for, by its own template and not by any record of the operator. */
function unrestOf(world: World): string | undefined {
  const { object, rememberedTooMany, staffUnrest } = world;
  if (staffUnrest !== undefined) return staffUnrest;
  if (rememberedTooMany > 0) return `the operator remembers ${rememberedTooMany} owners that are gone`;
  if (object === undefined)
    return world.leftovers.length > 0 ? `left behind: ${world.leftovers.join(', ')}` : undefined;
  if (object.metadata.deletionTimestamp !== undefined) return 'the object is still being deleted';
  const { replicas = 1, template, minReadySeconds = 0 } = object.spec;
  const { isRejected } = world.ending;
  const amiss = falsePods(world, replicas);
  if (amiss !== undefined) return amiss;
  const counts = {
    ...{ replicas, updatedReplicas: isRejected ? 0 : replicas, readyReplicas: replicas, availableReplicas: replicas },
    terminatingReplicas: 0,
  };
  // A template has two revisions when the adoption of the first was refused until the second existed: the later counts.
  const [inForce] = world.revisions
    .filter((revision) => imageOf(revision) === template.spec?.containers[0]?.image)
    .sort((one, other) => other.revision - one.revision);
  const rivals = world.revisions.filter((other) => other !== inForce && other.revision >= (inForce?.revision ?? 0));
  if (rivals.length > 0) return `revision ${rivals[0]?.metadata.name} has a higher number than the one in force`;
  const told = { ...object.status };
  const wrong = falseStatus(world, object, isRejected ? 'RevisionRejected' : 'NewReplicaSetAvailable');
  if (wrong !== undefined) return wrong;
  for (const [field, count] of Object.entries(counts)) {
    if ((told as Record<string, unknown>)[field] !== count)
      return `status.${field} is ${String((told as Record<string, unknown>)[field])}, not ${count} (min ready ${minReadySeconds})`;
  }
  return undefined;
}

/** The pods that are not as the run has to end. */
function falsePods({ active, leaving, ending: { image } }: World, replicas: number): string | undefined {
  if (leaving.length > 0) return `${leaving.length} pods are still terminating`;
  if (active.length !== replicas) return `${active.length} pods where ${replicas} are asked for`;
  const others = active.filter((pod) => (pod.spec as PodSpec).containers?.[0]?.image !== image);
  if (others.length > 0) return `${others.length} pods are not of the image ${image}`;
  const changing = active.find(isUnderChange);
  if (changing !== undefined) return `${changing.metadata.name} is still being changed in place`;
  return active.some((pod) => readyConditionOf(pod) === undefined) ? 'not all pods are ready' : undefined;
}

/** What the status says beside its counts, and should not. */
function falseStatus(
  { admission }: World,
  { metadata, status }: MyDeployment,
  reason: 'RevisionRejected' | 'NewReplicaSetAvailable',
): string | undefined {
  if (status?.observedGeneration !== metadata.generation) return 'the newest generation was not observed';
  const reasonOf = (type: string): string | undefined =>
    status?.conditions?.find((condition) => condition.type === type)?.reason;
  if (reasonOf('Progressing') !== reason) return `Progressing is ${reasonOf('Progressing')}`;
  const failure = reasonOf('ReplicaFailure');
  return failure === undefined || admission.refusesClaims ? undefined : `ReplicaFailure is ${failure}`;
}

function imageOf({ data }: ControllerRevision): string | undefined {
  return (data as { spec: { template: { spec: PodSpec } } }).spec.template.spec.containers?.[0]?.image;
}

interface PodSpec {
  readonly containers?: readonly { readonly image: string }[];
}
