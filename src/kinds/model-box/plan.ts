// What to do about a ModelBox: for the Deployment and for the Service, each by itself, whether it has to be made, brought
// up to date, put right, taken back, replaced, or left alone. A plan that finds everything as wanted writes nothing.

import type { JsonPatchOperation } from '../../runtime/client/options.ts';
import type { KubeObject, Manifest } from '../../runtime/object.ts';
import type { PlannedEvent } from '../../workload/action.ts';
import { type Service, standingOf } from './children.ts';
import { type Drift, driftOf } from './drift.ts';
import { ANNOTATIONS } from './names.ts';
import { overwritingOwned } from './overwrite-owned.ts';
import type { Found, Snapshot } from './snapshot.ts';
import { type Obstacle, observedStatus } from './status.ts';
import type { ModelBox, ModelBoxStatus } from './types.gen.ts';
import { HEADLESS, wantedBy } from './wanted.ts';

export type ChildKind = 'Deployment' | 'Service';

export type Action =
  | {
      readonly do: 'create';
      readonly kind: ChildKind;
      readonly manifest: Manifest<KubeObject>;
      readonly event: PlannedEvent;
    }
  | {
      readonly do: 'apply';
      readonly kind: ChildKind;
      readonly manifest: Manifest<KubeObject>;
      /** The object and the version that this was decided about: nothing else is ever changed. */
      readonly uid: string;
      readonly resourceVersion: string;
      /** Needs one live look at the ModelBox first: it must still be there, and not on its way out. */
      readonly adopts: boolean;
      /** The number of pods to keep when it is no longer ours to decide. */
      readonly keepReplicas: number | undefined;
      /** For when the API server refuses to have what others added together with what we want. */
      readonly overwriteOwned: readonly JsonPatchOperation[];
      readonly event: PlannedEvent;
    }
  | { readonly do: 'delete'; readonly kind: 'Service'; readonly uid: string; readonly event: PlannedEvent };

export interface ModelBoxPlan {
  readonly actions: readonly Action[];
  /** What the user should know beside what the actions say. */
  readonly events: readonly PlannedEvent[];
  /** As it should read if all goes well; undefined when there is nothing to say. */
  readonly status: ModelBoxStatus | undefined;
}

const NOTHING: ModelBoxPlan = { actions: [], events: [], status: undefined };

/** Decides what to do now. Time alone changes nothing. */
export function plan(snapshot: Snapshot | undefined, now: number): ModelBoxPlan {
  if (snapshot === undefined) return NOTHING; // gone: the garbage collector takes what it owned
  const { object, deployment, service } = snapshot;
  if (object.metadata.deletionTimestamp !== undefined) return NOTHING; // going: so does what it owns, or is orphaned
  const wanted = wantedBy(object);
  const steps = [
    stepFor(object, 'Deployment', deployment, wanted.deployment),
    replacement(object, service, wanted.service) ?? stepFor(object, 'Service', service, wanted.service),
  ];
  const obstacle = steps.find((step) => step.obstacle !== undefined)?.obstacle;
  return {
    actions: steps.flatMap(({ action }) => action ?? []),
    events: obstacle === undefined ? [] : eventsAbout(object, obstacle),
    status: observedStatus(snapshot, wanted, { obstacle, now }),
  };
}

/** An object that is not ours has to be removed or renamed by the user, who is told once, when it appears. */
function eventsAbout({ status }: ModelBox, { reason, message }: Obstacle): readonly PlannedEvent[] {
  if (reason !== 'NameTaken') return [];
  const isKnown = status?.conditions?.some((each) => each.reason === reason && each.message === message);
  return isKnown ? [] : [{ type: 'Warning', reason, message }];
}

interface Step {
  readonly action?: Action;
  /** Why the ModelBox is not as it should be, until somebody else has acted. */
  readonly obstacle?: Obstacle;
}

function stepFor(object: ModelBox, kind: ChildKind, found: Found<KubeObject>, manifest: Manifest<KubeObject>): Step {
  const { live, answer } = found;
  const named = `${kind} "${object.metadata.name}"`;
  if (live === undefined) {
    return { action: { do: 'create', kind, manifest, event: normal('Created', `Created ${named}`) } };
  }
  const standing = standingOf(object, live);
  const apply = (reason: string, message: string): Step => ({
    action: {
      do: 'apply',
      kind,
      manifest,
      uid: live.metadata.uid,
      resourceVersion: live.metadata.resourceVersion,
      adopts: standing === 'orphaned',
      keepReplicas: replicasToKeep(live, manifest),
      overwriteOwned: overwritingOwned(live, manifest),
      event: normal(reason, message),
    },
  });
  switch (standing) {
    case 'orphaned':
      return apply('Adopted', `Took back ${named}, which had lost its owner`);
    case 'foreign':
      return { obstacle: { reason: 'NameTaken', message: `${named} exists and is not of this ModelBox` } };
    case 'going':
      return { obstacle: { reason: 'Terminating', message: `${named} is being deleted` } };
    case 'ours':
      return stepForOurs(driftOf(live, manifest, answer), { named, apply });
    default:
      return standing satisfies never;
  }
}

function normal(reason: string, message: string): PlannedEvent {
  return { type: 'Normal', reason, message };
}

interface Doing {
  readonly named: string;
  readonly apply: (reason: string, message: string) => Step;
}

function stepForOurs(drift: Drift, { named, apply }: Doing): Step {
  switch (drift) {
    case 'none':
      return {};
    case 'changed':
      return apply('Updated', `Brought ${named} up to date`);
    case 'edited':
      return apply('Repaired', `Put back what somebody else had changed in ${named}`);
    default:
      return drift satisfies never;
  }
}

/** A Service cannot gain or lose its address: it has to go first, and is made anew when it is gone. */
function replacement(object: ModelBox, { live }: Found<Service>, wanted: Manifest<Service>): Step | undefined {
  if (live === undefined || standingOf(object, live) !== 'ours' || !live.spec.clusterIP) return undefined;
  const isHeadless = live.spec.clusterIP === HEADLESS;
  const toHeadless = wanted.spec.clusterIP === HEADLESS;
  if (isHeadless === toHeadless) return undefined;
  const message = `Deleted Service "${live.metadata.name}" to make it anew ${toHeadless ? 'without' : 'with'} an address`;
  return {
    action: { do: 'delete', kind: 'Service', uid: live.metadata.uid, event: normal('Replaced', message) },
  };
}

/** Dropping a field that nobody else owns resets it, and replicas would fall to 1 until an autoscaler looks. */
function replicasToKeep(live: KubeObject, wanted: Manifest<KubeObject>): number | undefined {
  const decided = (metadata: Partial<KubeObject['metadata']> | undefined): boolean =>
    metadata?.annotations?.[ANNOTATIONS.replicas] !== undefined;
  if (!decided(live.metadata) || decided(wanted.metadata)) return undefined;
  return (live as KubeObject & { readonly spec: { readonly replicas?: number } }).spec.replicas;
}
