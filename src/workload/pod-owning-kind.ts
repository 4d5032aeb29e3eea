// A kind that owns pods, declared once: how the API server sees it, how a snapshot is taken and what is planned for it.
// Permissions, the controller and what it watches follow from the declaration (pod-owner.ts).

import type { Admission, Permission } from '../runtime/installed-kind.ts';
import { type Declaration, defineKind, type Kind } from '../runtime/kind.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Operator } from '../runtime/operator/operator.ts';
import type { Resource } from '../runtime/resource.ts';
import type { Plan } from './action.ts';
import type { PodOwner } from './pod-owner.ts';
import type { OwnerStatus } from './report.ts';

interface PodOwningDeclaration<
  T extends KubeObject & { readonly status?: S },
  S extends OwnerStatus,
  Snapshot,
  P extends Plan<S>,
  A extends Admission,
> extends Pick<Declaration<T, A>, 'definition' | 'admission' | 'handlers'> {
  /** What its controller and webhooks need beyond what every kind that owns pods needs. */
  readonly permissions?: readonly Permission[];
  /** Loads the controller and the webhooks when the operator starts. */
  readonly owner: (operator: Operator) => Promise<PodOwner<T, S, Snapshot, P>>;
}

/** Declares a kind that owns pods. */
export function podOwningKind<
  T extends KubeObject & { readonly status?: S },
  S extends OwnerStatus,
  Snapshot,
  P extends Plan<S>,
  A extends Admission = never,
>(declaration: PodOwningDeclaration<T, S, Snapshot, P, A>): Kind {
  const { definition, permissions = [], admission, owner, handlers } = declaration;
  return defineKind({
    definition,
    permissions: [...permissionsFor(definition.resource), ...permissions, EVENTS],
    admission,
    handlers,
    controller: async (operator) => {
      const { podOwnerController } = await import('./pod-owner.ts');
      return podOwnerController(operator, await owner(operator));
    },
  });
}

const EVENTS: Permission = { group: '', resource: 'events', verbs: ['create', 'patch'] };

function permissionsFor({ group, plural }: Resource): Permission[] {
  return [
    // Read live before a pod is adopted.
    { group, resource: plural, verbs: ['get', 'list', 'watch'] },
    { group, resource: `${plural}/status`, verbs: ['patch'] },
    // Owner references with blockOwnerDeletion, where the API server enforces permissions for them.
    { group, resource: `${plural}/finalizers`, verbs: ['update'] },
    // Read live after the response to a create was lost.
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
  ];
}
