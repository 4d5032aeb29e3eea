// One key, the whole truth: a ModelBox, what is found under its name, and what the API server answered when it was last
// given what the ModelBox wants.

import type { Deployment, Service } from './children.ts';
import type { Answer } from './drift.ts';
import type { ModelBox } from './types.gen.ts';

/** Something about a Deployment or a Service that is there, or is not. */
export interface Found<T> {
  readonly live: T | undefined;
  /** Undefined when this process has applied nothing to it yet. */
  readonly answer: Answer | undefined;
}

export interface Snapshot {
  readonly object: ModelBox;
  readonly deployment: Found<Deployment>;
  readonly service: Found<Service>;
}
