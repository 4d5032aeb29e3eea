// The operator's ServiceAccount and its roles, which grant only what it uses. The permissions for objects of users come from
// the kinds; they apply to the whole cluster, or to the namespaces that the operator works in.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { Permission } from '../runtime/kind.ts';
import { INSTALLATION, ROLES } from './names.ts';
import { bindInCluster, bindInNamespace, clusterRole, roleFor } from './roles.ts';
import type { Settings } from './settings.ts';

const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

export class Access extends Construct {
  readonly account: kplus.ServiceAccount;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    // The Deployment mounts the token.
    this.account = new kplus.ServiceAccount(this, 'account', {
      metadata: { name: INSTALLATION.serviceAccount, namespace: settings.namespace },
      automountToken: false,
    });
    this.#grantKinds(settings);
    roleFor(this, this.account, ROLES.leaderElection, [
      { ...LEASES, verbs: ['get', 'update'], name: INSTALLATION.manager },
      // RBAC cannot restrict `create` by name: at that point there is no object yet.
      { ...LEASES, verbs: ['create'] },
    ]);
    if (settings.metrics) this.#grantMetrics();
  }

  #grantKinds({ kinds, namespaces }: Settings): void {
    const permissions = merged(kinds.flatMap((kind) => kind.permissions));
    if (namespaces === undefined) {
      clusterRole(this, { name: ROLES.manager }, permissions);
      bindInCluster(this, ROLES.manager, this.account);
      return;
    }
    const outside = permissions.filter(isOutsideOfNamespaces);
    clusterRole(
      this,
      { name: ROLES.manager },
      permissions.filter((each) => !outside.includes(each)),
    );
    for (const namespace of namespaces) bindInNamespace(this, ROLES.manager, namespace, this.account);
    if (outside.length === 0) return;
    clusterRole(this, { name: ROLES.managerOutside }, outside);
    bindInCluster(this, ROLES.managerOutside, this.account);
  }

  /** The operator may review tokens and access of those who read its metrics. An administrator binds the reader role. */
  #grantMetrics(): void {
    clusterRole(this, { name: ROLES.metricsAuth }, [
      { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'] },
      { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'] },
    ]);
    bindInCluster(this, ROLES.metricsAuth, this.account);
    new kplus.k8s.KubeClusterRole(this, 'metrics-reader', {
      metadata: { name: ROLES.metricsReader },
      rules: [{ nonResourceUrLs: ['/metrics'], verbs: ['get'] }],
    });
  }
}

/** One permission a resource, with the verbs of all. */
function merged(permissions: readonly Permission[]): Permission[] {
  const byResource = new Map<string, Permission>();
  for (const permission of permissions) {
    const key = `${permission.group}/${permission.resource}`;
    const { verbs = [] } = byResource.get(key) ?? {};
    byResource.set(key, {
      ...permission,
      ...byResource.get(key),
      verbs: [...new Set([...verbs, ...permission.verbs])],
    });
  }
  return [...byResource.values()];
}

/** Permissions for resources without a namespace cannot be granted in a namespace. */
function isOutsideOfNamespaces({ group, resource }: Permission): boolean {
  return group === '' && resource === 'nodes';
}
