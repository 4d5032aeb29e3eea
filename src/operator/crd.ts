// A kind's CustomResourceDefinition as a cdk8s construct. It renders the schema as it is instead of going through
// cdk8s-plus-27's KubeCustomResourceDefinition, whose Kubernetes 1.27 model silently drops the `reason` and
// `fieldPath` of validation rules.

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type CustomResource, hasConversion, type Version, versionsOf } from '../runtime/custom-resource.ts';
import type { InstallationNames } from '../runtime/installation.ts';
import { groupResourceOf } from '../runtime/resource.ts';
import { CONVERSION_PATH } from '../runtime/webhook/conversion.ts';

/** Where the operator is that converts between versions, and annotations for others that keep its CA in the CRD. */
export interface Converter extends Pick<InstallationNames, 'namespace' | 'webhookService'> {
  /** @default none */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The CustomResourceDefinition of a kind. */
export class CustomResourceDefinition extends ApiObject {
  /** `converter` is needed when a version of the kind has a conversion. */
  constructor(scope: Construct, id: string, kind: CustomResource, converter?: Converter) {
    const { resource, singular, shortNames, categories } = kind;
    const conversion = conversionOf(kind, converter);
    super(scope, id, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: groupResourceOf(resource),
        ...(conversion && converter?.annotations && { annotations: { ...converter.annotations } }),
      },
      spec: {
        group: resource.group,
        scope: resource.namespaced ? 'Namespaced' : 'Cluster',
        names: {
          kind: resource.kind,
          listKind: `${resource.kind}List`,
          plural: resource.plural,
          singular,
          // The API server stores no empty lists, so a tool that applies one would report a difference for ever.
          ...(shortNames.length > 0 && { shortNames }),
          ...(categories.length > 0 && { categories }),
        },
        versions: versionsOf(kind).map(renderVersion),
        ...(conversion && { conversion }),
      },
    });
  }
}

function conversionOf(kind: CustomResource, converter: Converter | undefined): object | undefined {
  if (!hasConversion(kind)) return undefined;
  if (converter === undefined) throw new Error(`${kind.resource.kind} has a conversion: say which operator converts`);
  const { namespace, webhookService: name } = converter;
  return {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { namespace, name, path: CONVERSION_PATH, port: 443 } },
      conversionReviewVersions: ['v1'],
    },
  };
}

function renderVersion(version: Version): object {
  const { name, served, storage, deprecationWarning, description, rules, spec, status, scale, columns } = version;
  return {
    name,
    served,
    storage,
    ...(deprecationWarning !== undefined && { deprecated: true, deprecationWarning }),
    additionalPrinterColumns: columns,
    subresources: { status: {}, ...(scale && { scale }) },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        description,
        required: ['spec'],
        properties: { spec, status },
        ...(rules && { 'x-kubernetes-validations': rules }),
      },
    },
  };
}
