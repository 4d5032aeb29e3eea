// Decides which patch a webhook configuration needs so that the API server trusts the CA bundle. A user who applies the manifests
// again removes the bundle, and the operator adds it again. Pure.

import type { JsonPatchOperation } from '../client/options.ts';
import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: { readonly caBundle?: string };
  }[];
}

export interface InjectionTarget {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly name: string;
}

/** The resource of a target. */
export function resourceOf({ kind }: InjectionTarget): Resource<WebhookConfiguration> {
  const plural = `${kind.toLowerCase()}s`;
  return { group: 'admissionregistration.k8s.io', version: 'v1', kind, plural, namespaced: false };
}

/** The patch after which every webhook trusts the bundle; none when all do. It is refused if webhooks are reordered meanwhile. */
export function injectionOf(configuration: WebhookConfiguration, bundle: string): JsonPatchOperation[] {
  const caBundle = Buffer.from(bundle).toString('base64');
  return (configuration.webhooks ?? []).flatMap(({ name, clientConfig }, index): JsonPatchOperation[] => {
    if (clientConfig.caBundle === caBundle) return [];
    return [
      { op: 'test', path: `/webhooks/${index}/name`, value: name },
      { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle },
    ];
  });
}
