// The variables of a gate's query, as admission, constructs and measurements know them.

export const VARIABLES = ['namespace', 'pods', 'stablePods'] as const;
export type Variable = (typeof VARIABLES)[number];

const PLACEHOLDER = new RegExp(`{{(${VARIABLES.join('|')})}}`, 'g');

/** The query to send. */
export function fillIn(query: string, values: Readonly<Record<Variable, string>>): string {
  return query.replaceAll(PLACEHOLDER, (_, name: Variable) => values[name]);
}

/** True when the query has anything else in double braces. The CRD has the same rule. */
export function hasUnknownVariable(query: string): boolean {
  return query.replaceAll(PLACEHOLDER, '').includes('{{');
}
