// Whether an object still says what we applied. Only fields of ours are compared, so an autoscaler's replicas, an
// injected sidecar and every default of Kubernetes may be there as they like.
//
// The API server may write a value in another way than we did: `0.5` becomes `500m`, an empty string disappears, an
// admission webhook puts in another image. So once it has answered an apply, its answer is what we compare with: what
// it made of our wish is as good as the wish, and nothing is applied for ever.

import type { KubeObject, Manifest } from '../../runtime/object.ts';
import { sameMeaning } from '../../workload/canonical.ts';
import { ANNOTATIONS } from './names.ts';

/** What the API server made of a manifest: our fields, in its words. */
export interface Answer {
  readonly hash: string;
  readonly fields: unknown;
}

/** `changed`: we want something else than we did. `edited`: somebody else does. */
export type Drift = 'none' | 'changed' | 'edited';

/** The difference between what is wanted and what is there. */
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

/** Whether this is what was applied last, whoever may have edited it since. */
export function isApplied(live: KubeObject, wanted: Manifest<KubeObject>): boolean {
  return hashOf(live) === hashOf(wanted);
}

/** To be remembered when an apply has succeeded. */
export function answerTo(wanted: Manifest<KubeObject>, stored: KubeObject): Answer {
  return { hash: hashOf(wanted) ?? '', fields: ofWanted(stored, wanted) };
}

function hashOf({ metadata }: Manifest<KubeObject>): string | undefined {
  return metadata.annotations?.[ANNOTATIONS.applied];
}

/** Lists whose items belong to whoever wrote them, and what tells the items apart. Other lists belong to one writer. */
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

/** Objects that belong to one writer as a whole: a label more in a selector is another selector. */
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

/** Until the API server has answered: it does not store most zeros and empty texts. A false can be a safeguard. */
function withoutZeros(value: unknown): unknown {
  if (value === '' || value === 0) return undefined;
  if (isList(value)) return value.map(withoutZeros);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutZeros(member)]));
}

/** The part of a value that `wanted`, found under `field`, speaks of. */
function part(value: unknown, wanted: unknown, field: string): unknown {
  const key = KEYS[field];
  if (key !== undefined && isList(value) && isList(wanted)) return items(value, wanted, key);
  if (WHOLE.has(field) || !isFields(value) || !isFields(wanted)) return value;
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, part(value[name], wanted[name], name)]));
}

/** In the order in which they are there, which can matter. */
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
