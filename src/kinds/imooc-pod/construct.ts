// ImoocPod for cdk8s apps.

import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { apiVersionOf } from '../../runtime/resource.ts';
import { DEFAULT_REPLICAS, imoocPods, MAX_REPLICAS } from './schema.ts';

/** How many pods an ImoocPod has. */
export interface ImoocPodProps {
  /** Name, labels and other metadata. */
  readonly metadata?: ApiObjectMetadata;

  /**
   * How many pods to run.
   * @default 1
   */
  readonly replicas?: number;
}

/** Runs a number of sleeping busybox pods. */
export class ImoocPod extends Construct {
  readonly replicas: number;
  readonly name: string;

  constructor(scope: Construct, id: string, { metadata, replicas = DEFAULT_REPLICAS }: ImoocPodProps = {}) {
    super(scope, id);
    if (!Number.isInteger(replicas) || replicas < 0 || replicas > MAX_REPLICAS) {
      throw new Error(`${this.node.path}: replicas must be a whole number from 0 to ${MAX_REPLICAS}, got ${replicas}`);
    }
    this.replicas = replicas;
    const apiVersion = apiVersionOf(imoocPods);
    const { kind } = imoocPods;
    const manifest = { apiVersion, kind, ...(metadata && { metadata }), spec: { replicas } };
    this.name = new ApiObject(this, 'Resource', manifest).name;
  }
}
