// The sizes of a ModelBox: requests and limits of its own container. A limit is twice the request, which leaves room
// for bursts without overcommitting a node more than twice. Quantities are canonical, as the API server stores them, so
// that they can be compared as text.

import type { ResourceRequirements } from '../../workload/template-schema.ts';
import type { ModelBoxSpec } from './types.gen.ts';

export type Size = NonNullable<ModelBoxSpec['size']>;
export type FixedSize = Exclude<Size, 'custom'>;

export const SIZES: Readonly<Record<FixedSize, Required<Pick<ResourceRequirements, 'requests' | 'limits'>>>> = {
  small: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '200m', memory: '256Mi' } },
  medium: { requests: { cpu: '500m', memory: '512Mi' }, limits: { cpu: '1', memory: '1Gi' } },
  large: { requests: { cpu: '1', memory: '2Gi' }, limits: { cpu: '2', memory: '4Gi' } },
};

/** The resources of the ModelBox's own container; undefined when the spec has none. */
export function resourcesOf({ size = 'custom', resources }: ModelBoxSpec): ResourceRequirements | undefined {
  // A quantity may be a number; client-node's types know texts only.
  return size === 'custom' ? (resources as ResourceRequirements | undefined) : SIZES[size];
}

/** `requests 100m CPU and 128Mi, limits 200m CPU and 256Mi`, for `kubectl explain`. */
export function describeSize(size: FixedSize): string {
  const { requests, limits } = SIZES[size];
  return `requests ${requests.cpu} CPU and ${requests.memory}, limits ${limits.cpu} CPU and ${limits.memory}`;
}
