// The closed set of writes that a plan may ask for, for kinds that own pods and keep history, and the order in which
// they are safe. Every action names its object by UID or resourceVersion, so the API server refuses an action that is
// out of date.

import type { Manifest } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';
import type { PodSource } from './build-pod.ts';
import type { ControllerRevision } from './revision.ts';
import type { Labels } from './selector.ts';
import type { PodTemplate } from './template-schema.ts';

export type Action =
  /** The API server is asked first whether the owner still exists, with this UID and no deletion timestamp. */
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
  /** Removes annotations of another object, each only while it has this value. */
  | {
      readonly do: 'removeAnnotations';
      readonly resource: Resource;
      readonly name: string;
      readonly uid: string;
      readonly values: Labels;
    }
  /**
   * If the name is taken, the operator's own revision with the same template is accepted; anything else is a hash
   * collision.
   */
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
  /** The executor chooses the names and records them before each create, so that no pod is created twice. */
  | { readonly do: 'createPods'; readonly revision: string; readonly source: PodSource; readonly count: number }
  /**
   * Each name follows from what the pod is for, so that a second attempt that knows nothing of the first gets
   * AlreadyExists.
   */
  | { readonly do: 'createNamedPods'; readonly revision: string; readonly pods: readonly NamedPod[] }
  | {
      readonly do: 'deletePod';
      readonly name: string;
      readonly uid: string;
      /**
       * Deleted only if the pod has not changed since: another client may have released it, or it may have become
       * ready.
       */
      readonly resourceVersion?: string;
      readonly revision: string;
      readonly because: string;
      /** Why the pod is not changed in place, where others are. */
      readonly notInPlace?: string;
    }
  /** Changes a pod in place, one patch after the other, only if it has not changed since. */
  | {
      readonly do: 'updatePod';
      readonly name: string;
      readonly uid: string;
      readonly resourceVersion: string;
      /** The revision that the pod belongs to afterwards. */
      readonly revision: string;
      readonly patches: readonly PodPatch[];
      readonly because: string;
    };

/** A strategic merge patch of a pod or one of its subresources. */
export interface PodPatch {
  readonly subresource?: 'status' | 'resize';
  readonly body: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string | null>>;
      readonly annotations?: Readonly<Record<string, string | null>>;
    };
    readonly spec?: object;
    readonly status?: object;
  };
}

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
  /** In the order of their stages. Empty when the cluster matches the spec. */
  readonly actions: readonly Action[];
  /** The whole status as it should read if all actions succeed; undefined when there is no object. */
  readonly status: Status | undefined;
  /** Recorded after the actions have succeeded. */
  readonly events: readonly PlannedEvent[];
  /** When the plan may change although no object changes. */
  readonly checkAgainAt: number | undefined;
  /** For kinds with a finalizer: true when nothing is left to clean up, so that the finalizer may be removed. */
  readonly isCleanedUp?: boolean;
}

/**
 * `claim` and `record` writes run one after the other in the plan's order; `pods` all at once, creates with a slow
 * start; `forget` last. A stage runs only when the previous one succeeded: counts are recorded before pods follow them,
 * so a crash in between loses nothing.
 */
export type Stage = 'claim' | 'record' | 'pods' | 'forget';

const STAGE: Readonly<Record<Action['do'], Stage>> = {
  adoptPod: 'claim',
  releasePod: 'claim',
  adoptRevision: 'claim',
  updateOwner: 'record',
  removeAnnotations: 'record',
  createRevision: 'record',
  updateRevision: 'record',
  createPods: 'pods',
  createNamedPods: 'pods',
  deletePod: 'pods',
  updatePod: 'pods',
  deleteRevision: 'forget',
};

/** The stage that an action belongs to. */
export function stageOf(action: Action): Stage {
  return STAGE[action.do];
}
