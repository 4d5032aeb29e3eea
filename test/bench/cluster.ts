// The cluster that every contender is measured on: room for every pod of the largest work, an audit log of the requests of the
// contenders, the scheduler and the nodes, and a namespace for each of them.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Cluster, type Programs } from '../../src/cluster/cluster.ts';
import { createNamespace, podsAreWelcome } from '../support/namespace.ts';
import { AuditLog, auditPolicy } from './audit-log.ts';
import type { ContenderName, Contenders } from './contenders/contender.ts';
import { LIMIT_USER } from './contenders/limit.ts';
import { NATIVE_USERS, native, OTHER_CONTROLLERS } from './contenders/native.ts';
import { OUR_USERS, ours } from './contenders/ours.ts';
import { OTHER_USERS } from './sample.ts';
import { namespaceOf } from './turn.ts';

/** Twenty thousand pods fit, twice what the largest work of a usual size asks for. */
const NODES = 10;

/** Starts the cluster below `folder`. */
export async function startCluster(programs: Programs, folder: string): Promise<Cluster> {
  const policy = join(folder, 'audit-policy.yaml');
  await mkdir(folder, { recursive: true });
  await writeFile(policy, stringify(auditPolicy([LIMIT_USER, ...NATIVE_USERS, ...OUR_USERS, ...OTHER_USERS])));
  return Cluster.start(programs, {
    name: 'cluster',
    directory: folder,
    nodes: NODES,
    controllers: OTHER_CONTROLLERS,
    audit: true,
    flags: { 'kube-apiserver': [`--audit-policy-file=${policy}`] },
  });
}

export function auditLogOf(cluster: Cluster): AuditLog {
  return new AuditLog(join(cluster.home, 'logs', 'audit.log'));
}

/** Gets the cluster ready for these contenders; the limit needs nothing but its namespace. */
export async function setUp(
  cluster: Cluster,
  programs: Programs,
  names: readonly ContenderName[],
): Promise<ReadonlyMap<ContenderName, Contenders>> {
  await Promise.all(names.map((name) => makeRoom(cluster, namespaceOf(name))));
  const contenders = new Map<ContenderName, Contenders>();
  if (names.includes('native')) contenders.set('native', native(cluster, programs));
  if (names.includes('ours')) {
    contenders.set('ours', await ours(cluster, join(cluster.home, 'operator.mjs')));
    // The garbage collector would learn of new kinds within half a minute; a restarted one knows them at once.
    await cluster.restart('kube-controller-manager');
  }
  return contenders;
}

/** Resolves when pods can be created in it. */
async function makeRoom({ client }: Cluster, name: string): Promise<void> {
  await createNamespace(client, name);
  await podsAreWelcome(client, name);
}
