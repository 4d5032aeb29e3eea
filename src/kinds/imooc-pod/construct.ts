// ImoocPod for cdk8s apps.

import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { apiVersionOf } from '../../runtime/resource.ts';
import { DEFAULT_REPLICAS, MAX_REPLICAS } from './defaults.ts';
import { imoocPods } from './names.ts';

export interface ImoocPodProps {
  /** Name, labels and the like. */
  readonly metadata?: ApiObjectMetadata;

  /**
   * How many pods should sleep.
   * @default 1
   */
  readonly replicas?: number;
}

/** Keeps a number of busybox pods asleep. */
export class ImoocPod extends Construct {
  readonly replicas: number;
  readonly name: string;

  constructor(scope: Construct, id: string, props: ImoocPodProps = {}) {
    super(scope, id);
    this.replicas = props.replicas ?? DEFAULT_REPLICAS;
    if (!Number.isInteger(this.replicas) || this.replicas < 0 || this.replicas > MAX_REPLICAS) {
      throw new Error(
        `${this.node.path}: replicas must be a whole number from 0 to ${MAX_REPLICAS}, got ${this.replicas}`,
      );
    }
    this.name = new ApiObject(this, 'Resource', {
      apiVersion: apiVersionOf(imoocPods),
      kind: imoocPods.kind,
      ...(props.metadata && { metadata: props.metadata }),
      spec: { replicas: this.replicas },
    }).name;
  }
}
