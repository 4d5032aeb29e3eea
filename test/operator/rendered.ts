// What an OperatorChart renders, for tests to look at one object by its kind and name.

import { Testing } from 'cdk8s';
import { OperatorChart } from '../../src/operator/chart.ts';
import type { OperatorProps } from '../../src/operator/props.ts';

export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** All objects of an installation, of one kind unless told otherwise: what others need is looked at with them. */
export function renderAll(props: Partial<OperatorProps> = {}): Rendered[] {
  const one: OperatorProps = { image: 'operator:test', kinds: ['MyDeployment'] };
  return Testing.synth(new OperatorChart(Testing.app(), 'operator', { ...one, ...props }));
}

/** The one object of this kind and name; undefined when there is none. */
export function render(kind: string, name: string, props: Partial<OperatorProps> = {}): Rendered | undefined {
  const [found, second] = renderAll(props).filter((each) => each.kind === kind && each.metadata.name === name);
  if (second !== undefined) throw new Error(`two objects are ${kind} ${name}`);
  return found;
}
