// The operator's ServiceAccount and its roles, which grant only what it uses. The permissions for objects of users come from
// the kinds; they apply to the whole cluster, or to the namespaces that the operator works in.

import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { namespaces as allNamespaces, clusterRoleBindings, clusterRoles, nodes } from '../runtime/built-in.ts';
import type { InstalledKind, Permission } from '../runtime/installed-kind.ts';
import { groupResourceOf } from '../runtime/resource.ts';
import type { Roles } from './names.ts';
import { bindInCluster, bindInNamespace, clusterRole, roleFor } from './roles.ts';
import type { Settings } from './settings.ts';

const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };
const SHARD_VERBS = ['get', 'list', 'watch', 'update', 'delete'];

export class Access extends Construct {
  readonly account: kplus.ServiceAccount;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { names } = settings;
    // The Deployment mounts the token.
    this.account = new kplus.ServiceAccount(this, 'account', {
      metadata: { name: names.serviceAccount, namespace: settings.namespace },
      automountToken: false,
    });
    this.#grantKinds(settings);
    this.#grantMigration(settings);
    roleFor(this, this.account, names.roles.leaderElection, [
      { ...LEASES, verbs: ['get', 'update'], name: names.manager },
      // RBAC cannot restrict `create` by name: at that point there is no object yet. Ranges and replicas have leases of their
      // own; the names of those of replicas are not known in advance.
      { ...LEASES, verbs: ['create', ...(settings.shards === 1 ? [] : SHARD_VERBS)] },
    ]);
    if (settings.metrics) this.#grantMetrics(names.roles);
  }

  #grantKinds({ kinds, namespaces, names: { roles } }: Settings): void {
    const permissions = merged(kinds.flatMap((kind) => kind.permissions));
    if (namespaces === undefined) {
      clusterRole(this, { name: roles.manager }, permissions);
      bindInCluster(this, roles.manager, this.account);
      return;
    }
    const outside = permissions.filter(isOutsideOfNamespaces(kinds));
    clusterRole(
      this,
      { name: roles.manager },
      permissions.filter((each) => !outside.includes(each)),
    );
    for (const namespace of namespaces) bindInNamespace(this, roles.manager, namespace, this.account);
    if (outside.length === 0) return;
    clusterRole(this, { name: roles.managerOutside }, outside);
    bindInCluster(this, roles.managerOutside, this.account);
  }

  /** To move stored objects to another version. Confined to namespaces, the operator cannot reach all of them, and does not try. */
  #grantMigration({ kinds, namespaces, names: { roles } }: Settings): void {
    const definitions = kinds.map(({ definition }) => definition).filter(({ otherVersions }) => otherVersions);
    if (definitions.length === 0 || namespaces !== undefined) return;
    const group = 'apiextensions.k8s.io';
    const permissions = definitions.flatMap(({ resource }): Permission[] => {
      const name = groupResourceOf(resource);
      return [
        { group, resource: 'customresourcedefinitions', verbs: ['get'], name },
        { group, resource: 'customresourcedefinitions/status', verbs: ['patch'], name },
        { group: resource.group, resource: resource.plural, verbs: ['patch'] },
      ];
    });
    clusterRole(this, { name: roles.storageMigration }, permissions);
    bindInCluster(this, roles.storageMigration, this.account);
  }

  /** The operator may review tokens and access of those who read its metrics. An administrator binds the reader role. */
  #grantMetrics(roles: Roles): void {
    clusterRole(this, { name: roles.metricsAuth }, [
      { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'] },
      { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'] },
    ]);
    bindInCluster(this, roles.metricsAuth, this.account);
    new kplus.k8s.KubeClusterRole(this, 'metrics-reader', {
      metadata: { name: roles.metricsReader },
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
function isOutsideOfNamespaces(kinds: readonly InstalledKind[]): (permission: Permission) => boolean {
  const own = kinds.map(({ definition }) => definition.resource).filter(({ namespaced }) => !namespaced);
  const known = [...own, allNamespaces, nodes, clusterRoles, clusterRoleBindings];
  return ({ group, resource }) => {
    const [plural] = resource.split('/');
    return known.some((each) => each.group === group && each.plural === plural);
  };
}
