// A kind's CustomResourceDefinition as a cdk8s construct. It renders the schema as it is instead of going through
// cdk8s-plus-27's KubeCustomResourceDefinition, whose Kubernetes 1.27 model silently drops the `reason` and
// `fieldPath` of validation rules.

import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CustomResource } from '../runtime/custom-resource.ts';
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
          // The API server keeps no empty lists, and whoever applies one would see a difference for ever.
          ...(shortNames.length > 0 && { shortNames }),
          ...(categories.length > 0 && { categories }),
        },
        versions: [versionOf(kind)],
      },
    });
  }
}

function versionOf(kind: CustomResource): object {
  const { description, rules, spec, status, scale, columns } = kind;
  return {
    name: kind.resource.version,
    served: true,
    storage: true,
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
