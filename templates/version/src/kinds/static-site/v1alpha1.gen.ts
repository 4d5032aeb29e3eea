// Generated from crds/staticsites.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from 'mydeployment/runtime';

/**
 * Serves a text over HTTP.
 */
export interface StaticSiteV1Alpha1 {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: StaticSiteV1Alpha1Spec;
  readonly status?: StaticSiteV1Alpha1Status;
}
/**
 * What should be there.
 */
export interface StaticSiteV1Alpha1Spec {
  /**
   * How many pods serve it.
   */
  readonly replicas?: number;
  /**
   * What is served.
   */
  readonly text: string;
}
/**
 * What was last seen. Written by the operator.
 */
export interface StaticSiteV1Alpha1Status {
  /**
   * Ready.
   */
  readonly conditions?: readonly StaticSiteV1Alpha1StatusCondition[];
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
}
export interface StaticSiteV1Alpha1StatusCondition {
  /**
   * When its status last changed.
   */
  readonly lastTransitionTime: string;
  /**
   * Why, in a sentence.
   */
  readonly message: string;
  /**
   * The metadata.generation that was judged.
   */
  readonly observedGeneration?: number;
  /**
   * Why, in one word that programs can compare.
   */
  readonly reason: string;
  /**
   * Whether it holds.
   */
  readonly status: 'True' | 'False' | 'Unknown';
  /**
   * What it is about.
   */
  readonly type: string;
}
