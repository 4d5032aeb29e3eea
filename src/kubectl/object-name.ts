// The ways in which people name an object: `web`, `md/web`, `mydeployment/web`, and kubectl's full names of both.

import { myDeployments, shortNames, singular } from '../kinds/my-deployment/names.ts';
import { groupResourceOf } from '../runtime/resource.ts';
import { UsageError } from './arguments.ts';

const OURS: readonly string[] = [
  ...shortNames,
  singular,
  myDeployments.plural,
  groupResourceOf(myDeployments),
  `${singular}.${myDeployments.group}`,
];
const NATIVE: readonly string[] = ['deployment', 'deployments', 'deploy', 'deployment.apps', 'deployments.apps'];

/** What the API server takes as a name. */
const VALID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export type Workload =
  | { readonly kind: 'MyDeployment'; readonly name: string }
  | { readonly kind: 'Deployment'; readonly name: string };

/** The name of a MyDeployment, however it was written. */
export function myDeploymentName(text: string): string {
  const [type, name] = split(text);
  if (type !== undefined && !OURS.includes(type.toLowerCase())) {
    throw new UsageError(`"${text}" is no MyDeployment: kubectl md takes NAME, md/NAME or mydeployment/NAME`);
  }
  return valid(name);
}

/** A MyDeployment or a Deployment; which of them has to be said. */
export function workloadName(text: string): Workload {
  const [type = '', name] = split(text);
  if (OURS.includes(type.toLowerCase())) return { kind: 'MyDeployment', name: valid(name) };
  if (NATIVE.includes(type.toLowerCase())) return { kind: 'Deployment', name: valid(name) };
  throw new UsageError(`say which kind: deployment/${name} or md/${name}, got "${text}"`);
}

/** The name as kubectl prints it. */
export function printedName(name: string): string {
  return `${singular}.${myDeployments.group}/${name}`;
}

function split(text: string): [type: string | undefined, name: string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
}

function valid(name: string): string {
  if (VALID.test(name) && name.length <= 253) return name;
  throw new UsageError(`"${name}" is no valid name: lower case letters, digits, "-" and "." only`);
}
