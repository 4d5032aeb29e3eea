// The names that a kind has in code, files and API, from the one that its author gives. The template is written for a kind with two
// words in its name, StaticSite, so that each form is another text and can be replaced.

/** A name as the API server takes it. */
const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export interface KindNames {
  /** `StaticSite` */
  readonly kind: string;
  /** `staticSite`, in code. */
  readonly camel: string;
  /** `staticSites`, in code. */
  readonly camelPlural: string;
  /** `static-site`, for files. */
  readonly file: string;
  /** `staticsite`, in the API. */
  readonly singular: string;
  /** `staticsites`, in the API. */
  readonly plural: string;
}

export const TEMPLATE = {
  operator: 'acme',
  group: 'acme.example.com',
  version: 'v1alpha1',
  nextVersion: 'v1beta1',
  names: kindNames('StaticSite'),
} as const;

export interface Subject {
  readonly operator: string;
  readonly group: string;
  readonly version: string;
  /** The version that is stored in place of it. @default - as in the template, where it does not matter */
  readonly nextVersion?: string;
  readonly names: KindNames;
}

/** All forms of a kind's name; throws for a name that the API server would refuse. */
export function kindNames(kind: string, plural?: string): KindNames {
  if (!/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind)) {
    throw new Error(`--kind: must be like Website or StaticSite, got ${JSON.stringify(kind)}`);
  }
  const camel = kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
  const singular = kind.toLowerCase();
  return {
    kind,
    camel,
    camelPlural: pluralOf(camel),
    file: kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase(),
    singular,
    plural: pluralName(plural ?? pluralOf(singular)),
  };
}

function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? word.replace(/y$/, 'ies') : `${word}s`;
}

function pluralName(plural: string): string {
  if (!LABEL.test(plural) || plural.length > 63) {
    throw new Error(`--plural: must be like websites, got ${JSON.stringify(plural)}`);
  }
  return plural;
}

/** The name of an operator is part of names that have at most 63 characters. */
export function operatorName(name: string): string {
  if (!LABEL.test(name) || name.length > 40) {
    throw new Error(`the name of an operator must be like website or my-sites, got ${JSON.stringify(name)}`);
  }
  return name;
}

export function groupName(group: string): string {
  if (!group.includes('.') || !group.split('.').every((part) => LABEL.test(part))) {
    throw new Error(`--group: must be a domain like example.com, got ${JSON.stringify(group)}`);
  }
  if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) {
    throw new Error(`--group: the API server keeps k8s.io and kubernetes.io for Kubernetes itself, got ${group}`);
  }
  return group;
}

/** `v1alpha1` as part of a type's name: `V1Alpha1`. */
export function inTypeName(version: string): string {
  return version.replaceAll(/(?<=^|\d)[a-z]/g, (letter) => letter.toUpperCase());
}

export function versionName(version: string): string {
  if (!/^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(version)) {
    throw new Error(`--version: must be like v1alpha1, v1beta1 or v1, got ${JSON.stringify(version)}`);
  }
  return version;
}
