// Whether an object still has the values that the operator applied. Only fields of the ModelBox are compared, so an
// autoscaler's replicas, an injected sidecar and Kubernetes' defaults are no drift.
//
// The API server may write a value differently: `0.5` becomes `500m`, an empty string is dropped, an admission webhook
// replaces an image. So once it has responded to an apply, later objects are compared with its response. Otherwise the
// operator would apply the same manifest for ever.

import type { KubeObject, Manifest } from '../../runtime/object.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import { ANNOTATIONS } from './names.ts';

/** The API server's response to a manifest, reduced to our fields. */
export interface Answer {
  readonly hash: string;
  readonly fields: unknown;
}

/** `changed`: the ModelBox wants other values than before. `edited`: another client changed our fields. */
export type Drift = 'none' | 'changed' | 'edited';

/** The difference between the wanted and the existing object. */
export function driftOf(live: KubeObject, wanted: Manifest<KubeObject>, answer: Answer | undefined): Drift {
  if (!isApplied(live, wanted)) return 'changed';
  const hash = hashOf(wanted);
  const present = ofWanted(live, wanted);
  const isSame =
    answer !== undefined && answer.hash === hash
      ? sameMeaning(present, answer.fields)
      : sameMeaning(withoutZeros(present), withoutZeros(wanted));
  return isSame ? 'none' : 'edited';
}

/** Whether this manifest was applied last, regardless of later edits by other clients. */
export function isApplied(live: KubeObject, wanted: Manifest<KubeObject>): boolean {
  return hashOf(live) === hashOf(wanted);
}

/** Remembered when an apply has succeeded. */
export function answerTo(wanted: Manifest<KubeObject>, stored: KubeObject): Answer {
  return { hash: hashOf(wanted) ?? '', fields: ofWanted(stored, wanted) };
}

function hashOf({ metadata }: Manifest<KubeObject>): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.applied];
}

/** Lists whose items have different owners, with the key of an item. Other lists have one owner. */
const KEYS: Readonly<Record<string, (item: Fields) => unknown>> = {
  containers: ({ name }) => name,
  initContainers: ({ name }) => name,
  env: ({ name }) => name,
  claims: ({ name }) => name,
  volumeMounts: ({ mountPath }) => mountPath,
  volumeDevices: ({ devicePath }) => devicePath,
  ownerReferences: ({ uid }) => uid,
  ports: ({ containerPort, port, protocol = 'TCP' }) => `${containerPort ?? port}/${protocol}`,
};

/** Objects that have one owner as a whole: a selector with one more label is another selector. */
const WHOLE: ReadonlySet<string> = new Set([
  'selector',
  'configMapKeyRef',
  'fieldRef',
  'fileKeyRef',
  'resourceFieldRef',
  'secretKeyRef',
]);

type Fields = Readonly<Record<string, unknown>>;

function ofWanted(value: unknown, wanted: unknown): unknown {
  return part(value, wanted, '');
}

/**
 * Used before the API server has responded: it does not store most zeros and empty strings. A false can be a safeguard.
 */
function withoutZeros(value: unknown): unknown {
  if (value === '' || value === 0) return undefined;
  if (isList(value)) return value.map(withoutZeros);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutZeros(member)]));
}

/** The part of a value that `wanted`, found under `field`, specifies. */
function part(value: unknown, wanted: unknown, field: string): unknown {
  const key = KEYS[field];
  if (key !== undefined && isList(value) && isList(wanted)) return items(value, wanted, key);
  if (WHOLE.has(field) || !isFields(value) || !isFields(wanted)) return value;
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, part(value[name], wanted[name], name)]));
}

/** In the order of the existing list, which can matter. */
function items(value: readonly Fields[], wanted: readonly Fields[], key: (item: Fields) => unknown): unknown {
  const byKey = new Map(wanted.map((item) => [key(item), item]));
  return value.filter((item) => byKey.has(key(item))).map((item) => part(item, byKey.get(key(item)), ''));
}

function isList(value: unknown): value is readonly Fields[] {
  return Array.isArray(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
