// Leads the API server's calls of webhooks to an operator on this machine. Without kube-proxy a Service does not reach a process; an
// ExternalName of localhost does. Path, CA and DNS names stay those of the manifests, so that these are what is tested.

import type { InstallationNames } from '../runtime/installation.ts';
import { type HasKubectl, kubectlOrThrow } from './kubectl.ts';

type Place = Pick<InstallationNames, 'namespace' | 'webhookService'>;

interface ClientConfig {
  readonly service?: { readonly namespace: string; readonly name: string };
}

/** What may call a webhook: webhook configurations, and CustomResourceDefinitions that convert between versions. */
interface Caller {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks?: readonly { readonly clientConfig: ClientConfig }[];
  readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig: ClientConfig } } };
}

const CALLERS = 'mutatingwebhookconfigurations,validatingwebhookconfigurations,customresourcedefinitions';

/** Turns the Service into a name for this machine, and has everything that calls it call this port. */
export async function routeWebhooks(cluster: HasKubectl, place: Place, port: number): Promise<void> {
  const callers = JSON.parse(await kubectlOrThrow(cluster, ['get', CALLERS, '-o', 'json'])) as { items: Caller[] };
  const patches = callers.items.map((caller) => ({ caller, paths: pathsOf(caller, place) }));
  const called = patches.filter(({ paths }) => paths.length > 0);
  if (called.length === 0) return;
  const spec = { type: 'ExternalName', externalName: 'localhost', clusterIP: null, clusterIPs: null, selector: null };
  const service = ['service', place.webhookService, '-n', place.namespace];
  await patch(cluster, [...service, '--type=merge'], { spec });
  for (const { caller, paths } of called) {
    const operations = paths.map((path) => ({ op: 'add', path: `${path}/clientConfig/service/port`, value: port }));
    await patch(cluster, [caller.kind, caller.metadata.name, '--type=json'], operations);
  }
}

/** Where in the object the webhooks behind this Service are. */
function pathsOf({ webhooks = [], spec }: Caller, place: Place): string[] {
  const conversion = spec?.conversion?.webhook;
  return [
    ...webhooks.flatMap(({ clientConfig }, index) => (leadsTo(clientConfig, place) ? [`/webhooks/${index}`] : [])),
    ...(conversion && leadsTo(conversion.clientConfig, place) ? ['/spec/conversion/webhook'] : []),
  ];
}

function leadsTo({ service }: ClientConfig, { namespace, webhookService }: Place): boolean {
  return service?.namespace === namespace && service.name === webhookService;
}

async function patch(cluster: HasKubectl, what: readonly string[], body: object): Promise<void> {
  await kubectlOrThrow(cluster, ['patch', ...what, '-p', JSON.stringify(body)]);
}
