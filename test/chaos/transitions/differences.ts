// Where a MyDeployment or a ModelBox is meant to answer otherwise than a Deployment, or cannot help it, with the reason.
// Whatever else differs is a violation.

import type { Transition } from './fields.ts';

/** Taken or refused; the template as it would be stored; the field that a refusal names. */
export type Aspect = 'verdict' | 'template' | 'names';

export interface Difference {
  readonly aspect: Aspect;
  readonly at: RegExp;
  readonly what?: RegExp;
  readonly because: string;
}

const KEYED =
  'a list with keys is one with unique keys in a custom resource; a native one may repeat them, with a warning';
const BOUNDED = 'rules about labels are affordable only where the schema bounds the lists that they walk through';

const NO_NULL = 'a custom resource knows no null where its schema does not say so; natively it stands for nothing';
/** What a ModelBox passes on to its Deployment. */
const IN_MODEL_BOX = /^spec\.(containers|initContainers|envs|resources|livenessProbe|readinessProbe)\b/;

export const differences: readonly Difference[] = [
  {
    aspect: 'verdict',
    at: /\.(env|envs|ports|hostAliases|finalizers|ownerReferences|imagePullSecrets)$/,
    what: /^the same/,
    because: KEYED,
  },
  { aspect: 'verdict', at: /\.exitCodes\.values$/, what: /^the same/, because: KEYED },
  { aspect: 'verdict', at: /^spec\.selector\.matchExpressions/, what: /^too (many|long)$/, because: BOUNDED },
  {
    aspect: 'verdict',
    at: /^spec\.strategy\.rollingUpdate\.max(Surge|Unavailable)$/,
    what: /^too long$/,
    because: 'sixteen digits of pods are a typing error',
  },
  {
    aspect: 'verdict',
    at: /^spec\.strategy\.type$/,
    what: /empty/,
    because: 'the schema names the strategies there are, and an empty text is none of them',
  },
  {
    aspect: 'verdict',
    at: /managedFields\[\]\.fieldsV1$/,
    because:
      'natively any JSON passes here, and nobody reads it; the schema asks for an object, as the API is documented',
  },
  {
    aspect: 'verdict',
    at: /^spec\.selector\.matchLabels(\{\})?$/,
    what: /^(a )?null/,
    because: 'the API server drops null entries from the maps of a custom resource; natively they become empty text',
  },
  {
    aspect: 'verdict',
    at: /^spec\.selector\.matchExpressions\[\]\.values(\[\])?$/,
    what: /null/,
    because: NO_NULL,
  },
  { aspect: 'verdict', at: IN_MODEL_BOX, what: /null/, because: NO_NULL },
  {
    aspect: 'verdict',
    at: IN_MODEL_BOX,
    what: /^(without |a fraction$)/,
    because:
      'no webhook of a ModelBox fills a template in: what the schema requires has to be said, quantities as text',
  },
  {
    aspect: 'template',
    at: /./,
    what: /^(null|a null entry)$/,
    because: 'the API server drops null entries from the maps of a custom resource; natively they become empty text',
  },
  {
    aspect: 'template',
    at: /\.imagePullSecrets(\[\](\.name)?)?$/,
    because: 'the key of a list needs a default in a custom resource, so that a secret without a name has an empty one',
  },
  {
    aspect: 'names',
    at: /^spec\.selector\./,
    because: 'the rule that labels must satisfy the selector speaks first, and blames the labels',
  },
];

/** The entry for this place, if it may differ there. */
export function differenceAt(
  { path, what }: Pick<Transition, 'path' | 'what'>,
  aspect: Aspect,
): Difference | undefined {
  return differences.find((each) => each.aspect === aspect && each.at.test(path) && (each.what?.test(what) ?? true));
}
