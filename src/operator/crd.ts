// A kind's CustomResourceDefinition as a cdk8s construct. It renders the schema as it is instead of going through
// cdk8s-plus-27's KubeCustomResourceDefinition, whose Kubernetes 1.27 model silently drops the `reason` and
// `fieldPath` of validation rules.

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type CustomResource, type Version, versionsOf } from '../runtime/custom-resource.ts';
import { groupResourceOf } from '../runtime/resource.ts';

export class CustomResourceDefinition extends ApiObject {
  constructor(scope: Construct, id: string, kind: CustomResource) {
    const { resource, singular, shortNames, categories } = kind;
    super(scope, id, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: groupResourceOf(resource) },
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
      },
    });
  }
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
