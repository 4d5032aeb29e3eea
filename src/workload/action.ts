// What a plan may ask for: the closed set of writes of a kind that owns pods and keeps history, and the order in which
// they are safe. Every action names the object it was decided about by UID or resourceVersion, so one that comes too
// late meets a refusal instead of the wrong object.

import type { Manifest } from '../runtime/object.ts';
import type { PodSource } from './build-pod.ts';
import type { ControllerRevision } from './revision.ts';
import type { Labels } from './selector.ts';
import type { PodTemplate } from './template-schema.ts';

export type Action =
  /** Adopting needs one live look at the owner first: it must still exist, with this UID, and not be on its way out. */
  | { readonly do: 'adoptPod'; readonly name: string; readonly uid: string }
  | { readonly do: 'releasePod'; readonly name: string; readonly uid: string }
  | { readonly do: 'adoptRevision'; readonly name: string; readonly uid: string }
  /** Changes the owner itself; `null` removes an annotation. */
  | {
      readonly do: 'updateOwner';
      readonly resourceVersion: string;
      readonly template?: PodTemplate;
      readonly annotations: Readonly<Record<string, string | null>>;
    }
  /** When the name is taken: ours with the same template will do, anything else is a hash collision. */
  | { readonly do: 'createRevision'; readonly manifest: Manifest<ControllerRevision> }
  /** One write that carries every change of this revision. */
  | {
      readonly do: 'updateRevision';
      readonly name: string;
      readonly uid: string;
      readonly resourceVersion: string;
      readonly number?: number;
      readonly annotations: Labels;
    }
  | { readonly do: 'deleteRevision'; readonly name: string; readonly uid: string; readonly because: string }
  /** Names are chosen by whoever carries this out, and noted down before each create, so that none is made twice. */
  | { readonly do: 'createPods'; readonly revision: string; readonly source: PodSource; readonly count: number }
  /** Each name says what its pod is for, so that whoever tries a second time, and knows nothing of the first, meets it. */
  | { readonly do: 'createNamedPods'; readonly revision: string; readonly pods: readonly NamedPod[] }
  | {
      readonly do: 'deletePod';
      readonly name: string;
      readonly uid: string;
      /** Only if nobody has changed the pod since: taken its owner away, or found it ready after all. */
      readonly resourceVersion?: string;
      readonly revision: string;
      readonly because: string;
    };

export interface NamedPod {
  readonly name: string;
  readonly source: PodSource;
}

export interface PlannedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface Plan<Status> {
  /** In the order of their stages. None means that the world is as it should be. */
  readonly actions: readonly Action[];
  /** The whole status as it should read if all goes well; undefined when there is no object to have one. */
  readonly status: Status | undefined;
  /** To be told once the actions are done. */
  readonly events: readonly PlannedEvent[];
  /** When time alone may change the plan. */
  readonly checkAgainAt: number | undefined;
  /** For kinds with a finalizer: nothing is left to clean up, so that an object that is being deleted may go. */
  readonly isCleanedUp?: boolean;
}

/**
 * `claim` and `record` writes go one after the other in the plan's order; `pods` all at once, creates with a slow start;
 * `forget` last. A stage runs only when the one before it succeeded: counts are recorded before pods follow them, so
 * a crash in between loses nothing.
 */
export type Stage = 'claim' | 'record' | 'pods' | 'forget';

const STAGE: Readonly<Record<Action['do'], Stage>> = {
  adoptPod: 'claim',
  releasePod: 'claim',
  adoptRevision: 'claim',
  updateOwner: 'record',
  createRevision: 'record',
  updateRevision: 'record',
  createPods: 'pods',
  createNamedPods: 'pods',
  deletePod: 'pods',
  deleteRevision: 'forget',
};

/** The stage that an action belongs to. */
export function stageOf(action: Action): Stage {
  return STAGE[action.do];
}
