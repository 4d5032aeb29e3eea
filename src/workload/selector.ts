// Label selectors: whether one matches, and how kubectl writes it. Admission (schema and webhook) checks which
// operators and values are valid, so this file takes a selector to be well formed.

export type Labels = Readonly<Record<string, string>>;

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** True when the labels satisfy every part of the selector. An empty selector matches everything. */
export function selectorMatches(selector: LabelSelector, labels?: Labels): boolean {
  return matcherOf(selector)(labels);
}

/**
 * The same check for many objects: the selector is parsed once, and a set of labels that several objects share is
 * checked once.
 */
export function matcherOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): (labels?: Labels) => boolean {
  const wanted = Object.entries(matchLabels);
  const matches = (labels: Labels): boolean =>
    wanted.every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((requirement) => requirementMatches(requirement, labels));
  let last: { readonly labels: Labels; readonly match: boolean } | undefined;
  return (labels = {}) => {
    if (last?.labels !== labels) last = { labels, match: matches(labels) };
    return last.match;
  };
}

/** The part of the selector that the labels do not satisfy; an empty selector when they satisfy all of it. */
export function unmetPart(selector: LabelSelector, labels: Labels = {}): LabelSelector {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return {
    matchLabels: Object.fromEntries(
      Object.entries(matchLabels).filter(([key, value]) => !selectorMatches({ matchLabels: { [key]: value } }, labels)),
    ),
    matchExpressions: matchExpressions.filter((each) => !selectorMatches({ matchExpressions: [each] }, labels)),
  };
}

/** True when the selector has no requirement and so selects every object. */
export function selectsEverything(selector: LabelSelector | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length === 0;
}

/** The label keys that the selector names. */
export function selectedKeys({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)];
}

/** The selector as `kubectl get -l` takes it and as the scale subresource must publish it, ordered by key. */
export function formatSelector(selector: LabelSelector): string {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = (selector.matchExpressions ?? []).map((requirement) => ({
    key: requirement.key,
    text: formatRequirement(requirement),
  }));
  return [...labels, ...expressions]
    .sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ text }) => text)
    .join(',');
}

function requirementMatches({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined; // a key can be `constructor`
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return unknownOperator(operator);
  }
}

function formatRequirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const list = `(${[...values].sort().join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${list}`;
    case 'NotIn':
      return `${key} notin ${list}`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return unknownOperator(operator);
  }
}

function unknownOperator(operator: never): never {
  throw new Error(`label selector has an unknown operator: ${String(operator)}`);
}
