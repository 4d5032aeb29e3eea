// Namespaces and the ServiceAccounts in them, for tests, benchmark and campaign alike: made with nothing but a client.

import { namespaces, serviceAccounts } from '../runtime/built-in.ts';
import type { Client } from '../runtime/client/client.ts';
import { eventually } from './eventually.ts';

interface TokenRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec: object;
  readonly status?: { readonly token: string };
}

export async function createNamespace(client: Client, name: string): Promise<void> {
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Waits until pods can be created there: they need the default ServiceAccount. */
export async function podsAreWelcome(client: Client, namespace: string): Promise<void> {
  await eventually(() => client.get(serviceAccounts, { namespace, name: 'default' }));
}

/** A token of that ServiceAccount, as the kubelet would mount it. */
export async function requestToken(client: Client, namespace: string, name: string): Promise<string> {
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { namespace, name },
    spec: {},
  };
  const answer = await client.create<TokenRequest>(serviceAccounts, request, { subresource: 'token' });
  if (answer.status === undefined) throw new Error(`no token for ServiceAccount ${namespace}/${name}`);
  return answer.status.token;
}
