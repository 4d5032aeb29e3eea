// What the shards of a process report to metrics.

export interface ShardObserver {
  /** Into how many ranges namespaces are split; not called without shards. */
  split?(shards: number): void;
  /** How many of them this process works on. */
  held?(ranges: number): void;
  /** Whether the API server sends only what was asked for, as of KEP-5866. */
  filteredByServer?(filtered: boolean): void;
}
