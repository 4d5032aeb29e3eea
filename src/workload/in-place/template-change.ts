// Whether a pod of one template can become a pod of another one while it runs. Images, CPU and memory, and labels can change in
// place; everything else means a new pod. So does what would not take effect: an annotation that makes pods load their
// configuration anew, or a label that a container has in its environment.

import { sameMeaning } from '../canonical.ts';
import type { Container, PodTemplate } from '../template-schema.ts';
import { qosClass, resizeObstacle, sameResources } from './resources.ts';

/** A template with the labels that its pods have. */
export interface Version {
  readonly hash: string;
  readonly template: PodTemplate;
  readonly labels: Readonly<Record<string, string>>;
}

/** From one version to another. Compared once, however many pods go that way. */
export interface Way {
  readonly from: Version;
  readonly to: Version;
  /** Why pods have to be replaced to get there; undefined when they can be changed in place. */
  readonly obstacle: string | undefined;
}

export function wayBetween(from: Version, to: Version): Way {
  return { from, to, obstacle: replaceReason(from, to) };
}

/** Why pods have to be replaced to get from one version to the other; undefined when they can be changed in place. */
export function replaceReason(from: Version, to: Version): string | undefined {
  const [one, other] = [from.template, to.template];
  return (
    metadataReason(one, other) ??
    specReason(one, other) ??
    containersReason(one.spec.containers, other.spec.containers) ??
    resizeReason(one, other) ??
    labelReason(from, to)
  );
}

function metadataReason(
  { metadata: one = {} }: PodTemplate,
  { metadata: other = {} }: PodTemplate,
): string | undefined {
  if (!sameMeaning({ annotations: one.annotations }, { annotations: other.annotations })) {
    return "the template's annotations change";
  }
  return sameMeaning(one.finalizers ?? [], other.finalizers ?? []) ? undefined : "the template's finalizers change";
}

function specReason({ spec: one }: PodTemplate, { spec: other }: PodTemplate): string | undefined {
  const { containers: _, ...before } = one;
  const { containers: __, ...after } = other;
  const changed = changedField(before, after);
  return changed && `spec.${changed} changes`;
}

function containersReason(one: readonly Container[], other: readonly Container[]): string | undefined {
  const names = (containers: readonly Container[]): string => containers.map(({ name }) => name).join();
  if (names(one) !== names(other)) return 'containers are added, removed, renamed or reordered';
  for (const [index, before] of one.entries()) {
    const after = other[index] as Container;
    const changed = changedField(withoutMutable(before), withoutMutable(after));
    if (changed !== undefined) return `${changed} of container "${before.name}" changes`;
    const obstacle = resizeObstacle(before.resources, after.resources);
    if (obstacle !== undefined) return `container "${before.name}" cannot be resized: ${obstacle}`;
  }
  return undefined;
}

function withoutMutable({ image: _, resources: __, ...rest }: Container): object {
  return rest;
}

/** What stands in the way of any resize of the pod. */
function resizeReason({ spec: one }: PodTemplate, { spec: other }: PodTemplate): string | undefined {
  const isResized = one.containers.some(
    ({ resources }, index) => !sameResources(resources, other.containers[index]?.resources),
  );
  if (!isResized) return undefined;
  if (one.os?.name === 'windows') return 'pods of Windows cannot be resized';
  if (one.resources !== undefined) return 'the pod has resources of its own (spec.resources)';
  const qos = [one, other].map(({ containers, initContainers = [] }) => qosClass([...containers, ...initContainers]));
  if (qos[0] !== qos[1]) return `the QoS class changes from ${qos[0]} to ${qos[1]}, and a resize cannot do that`;
  return readsResources(one) ? 'env or a volume reads resources of a container, which change' : undefined;
}

/** Labels always change: with the revision's hash. */
function labelReason(from: Version, { labels }: Version): string | undefined {
  const { spec } = from.template;
  if (hasKey(spec, ['matchLabelKeys', 'mismatchLabelKeys'])) {
    return 'the template has matchLabelKeys or mismatchLabelKeys, which are resolved when a pod is created';
  }
  const isChanged = (path: string): boolean => {
    const [, key] = /^metadata\.labels\['(.*)'\]$/.exec(path) ?? [];
    if (key !== undefined) return from.labels[key] !== labels[key];
    // The annotations of the template are the same, but the one of a change comes and goes.
    return path === 'metadata.labels' || path === 'metadata.annotations';
  };
  const read = fieldPaths(spec).find(isChanged);
  return read && `env or a volume reads ${read}, which changes`;
}

/** The fields of the pod that containers or volumes of this spec read. */
function fieldPaths(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldPaths);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'fieldRef' ? [String((member as { fieldPath?: string } | null)?.fieldPath)] : fieldPaths(member),
  );
}

function readsResources(spec: PodTemplate['spec']): boolean {
  return hasKey(spec, ['resourceFieldRef']);
}

/** True when one of these keys has a value that says something, anywhere in this value. */
function hasKey(value: unknown, keys: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => hasKey(item, keys));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) => (keys.includes(key) && !sameMeaning({ [key]: member }, {})) || hasKey(member, keys),
  );
}

function changedField(one: object, other: object): string | undefined {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].find((key) => !sameMeaning(pick(one, key), pick(other, key)));
}

function pick(object: object, key: string): object {
  return { [key]: (object as Readonly<Record<string, unknown>>)[key] };
}
