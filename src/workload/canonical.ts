// The canonical JSON of a value: two pod templates that Kubernetes treats alike have the same one, whichever client
// wrote them. Revision names and rollouts depend on it, so this file alone decides what is ignored: the order of keys,
// nulls, empty lists, and empty objects under the keys listed below. Golden files guard the format.

/**
 * Keys under which Kubernetes keeps a map or a struct by value, so that `{}` and an absent field are the same.
 * Everywhere else an empty object has a meaning: `emptyDir: {}` is a volume, `labelSelector: {}` selects everything and
 * its absence selects nothing.
 */
const EMPTY_MEANS_ABSENT: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'limits',
  'matchLabels',
  'metadata',
  'nodeSelector',
  'overhead',
  'requests',
  'resources',
]);

/** The value in canonical form: keys sorted, values without meaning removed. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, canonical(value[key])] as const)
    .filter(([key, member]) => saysSomething(key, member));
  return Object.fromEntries(entries);
}

/** The canonical form as text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value));
}

/**
 * True when Kubernetes treats both values alike, that is, when their canonical forms are equal. Builds neither of them.
 */
export function sameMeaning(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && sameItems(one, other);
  const agree = (key: string): boolean => {
    const [mine, yours] = [memberOf(one, key), memberOf(other, key)];
    const counts = saysSomething(key, mine);
    return counts === saysSomething(key, yours) && (!counts || sameMeaning(mine, yours));
  };
  return Object.keys(one).every(agree) && Object.keys(other).every((key) => Object.hasOwn(one, key) || agree(key));
}

/** A user can choose keys that every object inherits from its prototype, such as `constructor`. */
function memberOf(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => sameMeaning(item, other[index]));
}

function saysSomething(key: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value) || !EMPTY_MEANS_ABSENT.has(key)) return true;
  return Object.keys(value).some((member) => saysSomething(member, value[member]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
