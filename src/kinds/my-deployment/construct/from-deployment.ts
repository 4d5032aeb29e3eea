// Turns a Deployment into a MyDeployment for apps that migrate: same name, same spec. The spec is read at synthesis, so
// later changes to a cdk8s-plus Deployment are included.

import { ApiObject, type ApiObjectMetadata, Lazy } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { apiVersionOf } from '../../../runtime/resource.ts';
import { myDeployments } from '../names.ts';
import type { DeploymentOfAnyVersion, ScalingTargetForAnyVersion } from './any-version.ts';

/** An apps/v1 Deployment as a plain object. */
export interface DeploymentManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: ApiObjectMetadata;
  readonly spec: { readonly replicas?: number; readonly [field: string]: unknown };
}

/** A Deployment of cdk8s-plus, of `cdk8s import` or an included file, or a plain manifest. */
export type DeploymentSource = DeploymentOfAnyVersion | ApiObject | DeploymentManifest;

/** Annotations that describe the history of the Deployment and do not apply to the MyDeployment. */
const LEFT_BEHIND = ['deployment.kubernetes.io/revision', 'kubectl.kubernetes.io/last-applied-configuration'];

/** A MyDeployment made from a Deployment; the result of `MyDeployment.fromDeployment`. */
export class ConvertedDeployment extends kplus.Resource implements kplus.IScalable {
  readonly resourceType = myDeployments.plural;
  /** Whether an autoscaler decides how many pods run. */
  hasAutoscaler = false;
  protected readonly apiObject: ApiObject;
  readonly #origin: ApiObject | DeploymentManifest;
  /** The construct to which containers can still be added, if there is one. */
  readonly #workload: DeploymentOfAnyVersion | undefined;

  constructor(scope: Construct, id: string, source: DeploymentSource) {
    super(scope, id);
    this.#workload = isWorkload(source) ? source : undefined;
    this.#origin = isWorkload(source) ? ApiObject.of(source) : source;
    const { apiVersion, kind, metadata = {} } = this.#manifest();
    if (apiVersion !== 'apps/v1' || kind !== 'Deployment') {
      throw new Error(`${this.node.path}: needs an apps/v1 Deployment, got ${apiVersion} ${kind} "${metadata.name}"`);
    }
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: apiVersionOf(myDeployments),
      kind: myDeployments.kind,
      metadata: carriedOver(metadata),
      spec: Lazy.any({ produce: () => this.#spec() }),
    });
    if (this.#origin instanceof ApiObject) removeFromApp(this.#origin);
    this.node.addValidation({ validate: () => this.#autoscalerProblems() });
  }

  /** @see kplus.IScalable.markHasAutoscaler */
  markHasAutoscaler(): void {
    this.hasAutoscaler = true;
  }

  /** @see kplus.IScalable.toScalingTarget */
  toScalingTarget(): ScalingTargetForAnyVersion {
    const { kind, apiVersion, name } = this;
    return { kind, apiVersion, name, containers: [...(this.#workload?.containers ?? [])] };
  }

  #manifest(): DeploymentManifest {
    return this.#origin instanceof ApiObject ? this.#origin.toJson() : this.#origin;
  }

  #spec(): object {
    const { replicas, ...rest } = this.#manifest().spec;
    return this.hasAutoscaler ? rest : { replicas, ...rest };
  }

  /** An autoscaler of the Deployment still refers to the Deployment, which is no longer rendered. */
  #autoscalerProblems(): string[] {
    const astray = this.#workload?.hasAutoscaler === true;
    return astray ? [`the autoscaler of Deployment "${this.name}" must target what fromDeployment() returned`] : [];
  }
}

/** A construct with its object inside, as cdk8s-plus has them. */
function isWorkload(source: DeploymentSource): source is DeploymentOfAnyVersion {
  return Construct.isConstruct(source) && !ApiObject.isApiObject(source);
}

function carriedOver(metadata: ApiObjectMetadata): ApiObjectMetadata {
  const { name, namespace, labels, annotations = {}, finalizers, ownerReferences } = metadata;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !LEFT_BEHIND.includes(key)));
  return {
    ...(name && { name }),
    ...(namespace && { namespace }),
    ...(labels && { labels }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
    annotations: kept,
  };
}

function removeFromApp({ node }: ApiObject): void {
  node.scope?.node.tryRemoveChild(node.id);
}
