// One text for one meaning: two pod templates that Kubernetes would treat alike have the same canonical JSON, whatever
// wrote them down. Revision names and rollouts hang on this, so what is ignored is decided here, once:
// the order of keys, nulls, empty lists, and empty objects under the keys listed below. Golden files guard the format.

/**
 * Keys under which Kubernetes keeps a map or a struct by value, so `{}` and nothing are the same to it. Everywhere else
 * an empty object says something: `emptyDir: {}` is a volume, `labelSelector: {}` selects all and its absence none.
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

/** The value in canonical form: keys sorted, what means nothing left out. */
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

/** True when Kubernetes would treat both values alike: their canonical forms are equal, but nobody has to make those. */
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

/** Users choose keys, such as `constructor`, that every object has from its prototype. */
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
