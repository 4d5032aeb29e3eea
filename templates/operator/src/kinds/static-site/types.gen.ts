// Generated from crds/staticsites.yaml by `make generate`; edit schema.ts instead.

import type { ObjectMeta } from 'mydeployment/runtime';

/**
 * Serves a text over HTTP.
 */
export interface StaticSite {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: StaticSiteSpec;
  readonly status?: StaticSiteStatus;
}
/**
 * What should be there.
 */
export interface StaticSiteSpec {
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
export interface StaticSiteStatus {
  /**
   * Ready.
   */
  readonly conditions?: readonly StaticSiteStatusCondition[];
  /**
   * The metadata.generation that this status is about. -1 until the operator has looked at the object.
   */
  readonly observedGeneration?: number;
  /**
   * How many pods are ready.
   */
  readonly readyReplicas?: number;
}
export interface StaticSiteStatusCondition {
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
