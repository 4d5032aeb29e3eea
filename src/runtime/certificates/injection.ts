// Decides which patch a webhook configuration, or a CustomResourceDefinition whose versions a webhook converts, needs so that the API
// server trusts the CA bundle. A user who applies the manifests again removes the bundle, and the operator adds it again. Pure.
// CRDs are installed apart, so theirs also says where the operator really is.

import type { JsonPatchOperation } from '../client/options.ts';
import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly clientConfig: { readonly caBundle?: string };
  }[];
  /** Of a CustomResourceDefinition. */
  readonly spec?: {
    readonly conversion?: {
      readonly webhook?: { readonly clientConfig: { readonly caBundle?: string; readonly service?: ServicePlace } };
    };
  };
}

interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
}

/** An object of the API server that has to carry the CA. */
export type InjectionTarget =
  | {
      readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
      readonly name: string;
    }
  /** Its conversion webhook is behind this Service. */
  | { readonly kind: 'CustomResourceDefinition'; readonly name: string; readonly service: ServicePlace };

/** The resource of a target. */
export function resourceOf({ kind }: Pick<InjectionTarget, 'kind'>): Resource<WebhookConfiguration> {
  const plural = `${kind.toLowerCase()}s`;
  const group = kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io' : 'admissionregistration.k8s.io';
  return { group, version: 'v1', kind, plural, namespaced: false };
}

/** The patch after which every webhook trusts the bundle; none when all do. It is refused if webhooks are reordered meanwhile. */
export function injectionOf(
  configuration: WebhookConfiguration,
  bundle: string,
  target?: InjectionTarget,
): JsonPatchOperation[] {
  const caBundle = Buffer.from(bundle).toString('base64');
  if (target?.kind === 'CustomResourceDefinition') return conversionPatch(configuration, caBundle, target.service);
  return (configuration.webhooks ?? []).flatMap(({ name, clientConfig }, index): JsonPatchOperation[] => {
    if (clientConfig.caBundle === caBundle) return [];
    return [
      { op: 'test', path: `/webhooks/${index}/name`, value: name },
      { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle },
    ];
  });
}

/** A CRD without a conversion webhook needs none: an older or newer release may have installed it. */
function conversionPatch(
  { spec }: WebhookConfiguration,
  caBundle: string,
  { namespace, name }: ServicePlace,
): JsonPatchOperation[] {
  const clientConfig = spec?.conversion?.webhook?.clientConfig;
  if (clientConfig?.service === undefined) return [];
  const at = '/spec/conversion/webhook/clientConfig';
  const wanted = { 'service/namespace': namespace, 'service/name': name, caBundle };
  const found: Readonly<Record<string, unknown>> = {
    'service/namespace': clientConfig.service.namespace,
    'service/name': clientConfig.service.name,
    caBundle: clientConfig.caBundle,
  };
  return Object.entries(wanted)
    .filter(([path, value]) => found[path] !== value)
    .map(([path, value]) => ({ op: 'add', path: `${at}/${path}`, value }));
}
