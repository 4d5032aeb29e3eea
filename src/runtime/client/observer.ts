// Reports about requests, for metrics: one call for each HTTP attempt, each retry and each wait for the rate limit. Observers
// must be quick and must not throw.

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'raw';

export interface RequestFacts {
  readonly verb: Verb;
  /** HTTP method. */
  readonly method: string;
  /** Host and port of the server. */
  readonly host: string;
}

export interface AttemptFacts extends RequestFacts {
  /** HTTP status; 0 when no answer arrived. */
  readonly code: number;
  /** Until the whole answer was there; for a watch, until its head was. */
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface RequestObserver {
  attempt?(facts: AttemptFacts): void;
  /** A request is about to be repeated; `code` is that of the failed attempt. */
  retry?(facts: RequestFacts & { readonly code: number }): void;
  /** The client's own rate limit let a request through after this wait. */
  rateLimited?(facts: RequestFacts & { readonly waitMs: number }): void;
}
