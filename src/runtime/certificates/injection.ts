// Keeps the CA bundle in the webhook configurations, where the API server looks for whom to trust. Somebody who applies
// the manifests again takes it away; it is put back. Pure: which patch a configuration needs.

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

/** What to change so that every webhook trusts the bundle; nothing when all do. Refused if somebody reorders meanwhile. */
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
