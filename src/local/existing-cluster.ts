// Prepares a cluster that a person has for an operator on this machine, as `make run KUBECONFIG=path` starts one: applies the
// CRDs, and installs nothing else. It refuses a cluster where the operator is installed, because two operators that do not
// know of each other would both create the pods of every object.

import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { INSTALLATION } from '../operator/names.ts';
import { deployments } from '../runtime/built-in.ts';
import { createAuthority, issueCertificate } from '../runtime/certificates/authority.ts';
import { readKubeconfig } from '../runtime/client/access.ts';
import { type Client, createClient } from '../runtime/client/client.ts';
import { Connection } from '../runtime/client/connection.ts';
import { wallClock } from '../runtime/clock.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';

interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const customResourceDefinitions: Resource<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const FIELD_MANAGER = 'mydeployment-make-run';
const ESTABLISHED_WITHIN_MS = 30_000;
const CERTIFICATE_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Applies the CRDs and waits until the API server serves them; returns the address of the server and the names of the CRDs. */
export async function prepareExistingCluster(
  kubeconfig: string,
): Promise<{ readonly server: string; readonly crds: readonly string[] }> {
  const access = await readKubeconfig([kubeconfig]);
  const connection = new Connection(access, { userAgent: FIELD_MANAGER });
  try {
    const client = createClient(connection);
    await refuseInstalledOperator(client);
    const crds: string[] = [];
    for (const path of globSync('crds/*.yaml').sort()) crds.push(await applyCrd(client, path));
    return { server: access.cluster.server, crds };
  } finally {
    await connection.close();
  }
}

/** Scaled to zero, an installed operator is no other writer. */
async function refuseInstalledOperator(client: Client): Promise<void> {
  const { items } = await client.list(deployments, { fieldSelector: `metadata.name=${INSTALLATION.manager}` });
  const running = items.find(({ spec }) => (spec?.replicas ?? 1) > 0);
  if (running === undefined) return;
  const { name, namespace } = running.metadata;
  throw new Error(
    `the operator runs in this cluster already (deployment ${name} in namespace ${namespace}), and two would work against\n` +
      'each other. `make undeploy` removes it; CRDs, objects and pods stay.',
  );
}

async function applyCrd(client: Client, path: string): Promise<string> {
  const body = parse(await readFile(path, 'utf8')) as CustomResourceDefinition;
  const { name } = body.metadata;
  await client.patch(
    customResourceDefinitions,
    { name },
    { type: 'apply', body, fieldManager: FIELD_MANAGER, force: true },
  );
  const deadline = performance.now() + ESTABLISHED_WITHIN_MS;
  while (!isEstablished(await client.get(customResourceDefinitions, { name }))) {
    if (performance.now() > deadline)
      throw new Error(`the API server does not serve ${name}, see kubectl describe crd`);
    await delay(100);
  }
  // The API server opens the storage of a new kind a moment later, and refuses a list and a watch until then: the client tries
  // this list again, so that the operator's first watches succeed.
  await client.list(servedBy(body), { resourceVersion: '0', metadataOnly: true });
  return name;
}

function servedBy({ spec }: CustomResourceDefinition): Resource {
  const { group, names, versions } = spec;
  return { group, version: versions[0]?.name ?? '', kind: names.kind, plural: names.plural, namespaced: true };
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}

/** Writes a serving certificate for this machine, and the CA that signed it, for webhooks that no Service is in front of. */
export async function writeWebhookCertificates(folder: string): Promise<void> {
  const now = wallClock();
  const validity = { notBefore: new Date(now), notAfter: new Date(now + CERTIFICATE_DAYS * DAY_MS) };
  const authority = await createAuthority('make run', validity);
  const purpose = { for: 'server', dnsNames: ['localhost', hostname()], ipAddresses: ['127.0.0.1', '::1'] } as const;
  const { cert, key } = await issueCertificate(authority, { commonName: 'localhost' }, purpose, validity);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await Promise.all([
    writeFile(join(folder, 'ca.crt'), authority.cert),
    writeFile(join(folder, 'tls.crt'), cert),
    writeFile(join(folder, 'tls.key'), key, { mode: 0o600 }),
  ]);
}
