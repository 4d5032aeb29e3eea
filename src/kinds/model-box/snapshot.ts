// Everything that a plan needs to know about one ModelBox: its spec, the objects of its name, and the API server's
// responses to the last applies.

import type { Deployment, Service } from './children.ts';
import type { Answer } from './drift.ts';
import type { ModelBox } from './types.gen.ts';

/** A Deployment or Service as it exists, and as the operator last applied it. */
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
