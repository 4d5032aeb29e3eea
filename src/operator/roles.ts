// Roles and role bindings, made from permissions as plain data, with readable names. They do not use the roles of cdk8s-plus,
// which grant access to constructs of the app: most objects that the operator works with are not part of the app.

import type { ApiObjectMetadata } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import type { Permission } from '../runtime/installed-kind.ts';

const { k8s } = kplus;

/** A ClusterRole with these permissions. */
export function clusterRole(
  scope: Construct,
  metadata: ApiObjectMetadata & { readonly name: string },
  permissions: readonly Permission[],
): void {
  new k8s.KubeClusterRole(scope, metadata.name, { metadata, rules: permissions.map(ruleOf) });
}

/** Grants a ClusterRole everywhere. */
export function bindInCluster(scope: Construct, role: string, account: kplus.ServiceAccount): void {
  const metadata = { name: `${role}binding` };
  new k8s.KubeClusterRoleBinding(scope, metadata.name, {
    metadata,
    roleRef: referenceTo('ClusterRole', role),
    subjects: [subjectOf(account)],
  });
}

/** Grants a ClusterRole in one namespace. */
export function bindInNamespace(
  scope: Construct,
  role: string,
  namespace: string,
  account: kplus.ServiceAccount,
): void {
  bind(scope, referenceTo('ClusterRole', role), namespace, account);
}

/** A Role with these permissions in the namespace of the account, granted to it. */
export function roleFor(
  scope: Construct,
  account: kplus.ServiceAccount,
  name: string,
  permissions: readonly Permission[],
): void {
  const { namespace = '' } = account.metadata;
  new k8s.KubeRole(scope, `${name}-in-${namespace}`, { metadata: { name, namespace }, rules: permissions.map(ruleOf) });
  bind(scope, referenceTo('Role', name), namespace, account);
}

function bind(scope: Construct, roleRef: kplus.k8s.RoleRef, namespace: string, account: kplus.ServiceAccount): void {
  const metadata = { name: `${roleRef.name}binding`, namespace };
  const subjects = [subjectOf(account)];
  new k8s.KubeRoleBinding(scope, `${metadata.name}-in-${namespace}`, { metadata, roleRef, subjects });
}

function ruleOf({ group, resource, verbs, name }: Permission): kplus.k8s.PolicyRule {
  return { apiGroups: [group], resources: [resource], ...(name && { resourceNames: [name] }), verbs: [...verbs] };
}

function referenceTo(kind: 'Role' | 'ClusterRole', name: string): kplus.k8s.RoleRef {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
}

function subjectOf({ name, metadata }: kplus.ServiceAccount): kplus.k8s.Subject {
  return { kind: 'ServiceAccount', name, ...(metadata.namespace && { namespace: metadata.namespace }) };
}
