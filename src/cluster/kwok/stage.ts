// The shape of a kwok Stage: "an object that looks like this gets that status after so long". kwok plays the stages
// instead of a kubelet, which is how pods become Ready here without containers.

export interface Requirement {
  /** A jq-like path into the object. */
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export type Next =
  /** Renders a Go template to YAML and merges it into the object's status. */
  { readonly status: string } | { readonly delete: true };

export type Delay =
  | { readonly ms: number; readonly jitterMs?: number }
  /** Reads the delay from an annotation; no annotation, no delay. */
  | { readonly annotation: string };

export interface StageSpec {
  readonly name: string;
  readonly kind: 'Pod' | 'Node';
  readonly when: readonly Requirement[];
  readonly after?: Delay;
  readonly next: Next;
}

/** Renders a stage as kwok's configuration file wants it. */
export function stage({ name, kind, when, after = { ms: 0 }, next }: StageSpec): object {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind },
      selector: { matchExpressions: when },
      delay: delayOf(after),
      next: 'delete' in next ? { delete: true } : { statusTemplate: next.status },
    },
  };
}

function delayOf(after: Delay): object {
  if ('annotation' in after) {
    return {
      durationMilliseconds: 0,
      durationFrom: { expressionFrom: `.metadata.annotations["${after.annotation}"]` },
    };
  }
  return {
    durationMilliseconds: after.ms,
    ...(after.jitterMs === undefined ? {} : { jitterDurationMilliseconds: after.jitterMs }),
  };
}
