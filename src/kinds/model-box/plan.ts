// What to do about a ModelBox. For the Deployment and for the Service separately: create, update, repair, adopt,
// replace, or leave alone. A plan that finds everything as wanted writes nothing.

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
      /** The object and version that this was decided about: no other is changed. */
      readonly uid: string;
      readonly resourceVersion: string;
      /** Needs a live read of the ModelBox first: it must exist and not be terminating. */
      readonly adopts: boolean;
      /** The number of pods to keep when the ModelBox no longer decides it. */
      readonly keepReplicas: number | undefined;
      /** Used when the API server refuses the wanted fields together with additions of other clients. */
      readonly overwriteOwned: readonly JsonPatchOperation[];
      readonly event: PlannedEvent;
    }
  | { readonly do: 'delete'; readonly kind: 'Service'; readonly uid: string; readonly event: PlannedEvent };

export interface ModelBoxPlan {
  readonly actions: readonly Action[];
  /** Events for the user beyond those of the actions. */
  readonly events: readonly PlannedEvent[];
  /** The status if all actions succeed; undefined when there is nothing to report. */
  readonly status: ModelBoxStatus | undefined;
}

const NOTHING: ModelBoxPlan = { actions: [], events: [], status: undefined };

/** Decides what to do now. The plan does not depend on the time. */
export function plan(snapshot: Snapshot | undefined, now: number): ModelBoxPlan {
  if (snapshot === undefined) return NOTHING; // gone: the garbage collector deletes what it owned
  const { object, deployment, service } = snapshot;
  if (object.metadata.deletionTimestamp !== undefined) return NOTHING; // terminating: what it owns is deleted or orphaned with it
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

/** The user has to remove or rename an object that is not ours; one event reports it when it appears. */
function eventsAbout({ status }: ModelBox, { reason, message }: Obstacle): readonly PlannedEvent[] {
  if (reason !== 'NameTaken') return [];
  const isKnown = status?.conditions?.some((each) => each.reason === reason && each.message === message);
  return isKnown ? [] : [{ type: 'Warning', reason, message }];
}

interface Step {
  readonly action?: Action;
  /** Why the ModelBox is not as specified, until another client acts. */
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
      return apply('Repaired', `Restored fields that another client had changed in ${named}`);
    default:
      return drift satisfies never;
  }
}

/** A Service cannot gain or lose its cluster IP: it is deleted first and created again. */
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

/** A field without an owner is reset, so replicas would become 1 until an autoscaler sets them. */
function replicasToKeep(live: KubeObject, wanted: Manifest<KubeObject>): number | undefined {
  const decided = (metadata: Partial<KubeObject['metadata']> | undefined): boolean =>
    metadata?.annotations?.[ANNOTATIONS.replicas] !== undefined;
  if (!decided(live.metadata) || decided(wanted.metadata)) return undefined;
  return (live as KubeObject & { readonly spec: { readonly replicas?: number } }).spec.replicas;
}
