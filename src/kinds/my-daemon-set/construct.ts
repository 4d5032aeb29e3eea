// MyDaemonSet for cdk8s apps. Props that the API server would refuse are refused at synthesis.

import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { BAD_IMAGE, isImage } from '../../runtime/image.ts';
import { apiVersionOf } from '../../runtime/resource.ts';
import { myDaemonSets } from './names.ts';

/** What a MyDaemonSet runs on every node. */
export interface MyDaemonSetProps {
  /** Name, labels and other metadata. */
  readonly metadata?: ApiObjectMetadata;

  /** The image that runs on every node. */
  readonly image: string;

  /**
   * On how many nodes the pod may be unavailable while an update rolls out.
   * @default PercentOrAbsolute.absolute(1)
   */
  readonly maxUnavailable?: kplus.PercentOrAbsolute;
}

/** Runs one pod of an image on every node that takes it. */
export class MyDaemonSet extends Construct {
  readonly image: string;
  readonly name: string;

  constructor(scope: Construct, id: string, props: MyDaemonSetProps) {
    super(scope, id);
    this.image = props.image;
    if (!isImage(props.image))
      throw new Error(`${this.node.path}: image ${JSON.stringify(props.image)} is ${BAD_IMAGE}`);
    if (props.maxUnavailable?.isZero()) {
      throw new Error(
        `${this.node.path}: maxUnavailable must not be ${props.maxUnavailable.value}: nothing could be updated`,
      );
    }
    this.name = new ApiObject(this, 'Resource', {
      apiVersion: apiVersionOf(myDaemonSets),
      kind: myDaemonSets.kind,
      ...(props.metadata && { metadata: props.metadata }),
      spec: { image: props.image, ...(props.maxUnavailable && { maxUnavailable: props.maxUnavailable.value }) },
    }).name;
  }
}
