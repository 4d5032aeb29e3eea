// What the server sends to the page. Every view is a set of rows with keys; a frame has the rows that are new or different, and
// the keys of those that are gone. The server decides every word and number; the page decides how they look.
// Types and constants alone, because both sides import this file.

/** A part of a view. `reset` begins anew: rows of earlier frames are forgotten. */
export interface Frame {
  readonly reset?: true;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly drop?: readonly string[];
}

export const KINDS = ['MyDeployment', 'MyDaemonSet', 'ModelBox', 'Collector', 'ImoocPod'] as const;
export type KindName = (typeof KINDS)[number];

export type State = 'Healthy' | 'Progressing' | 'Paused' | 'Degraded' | 'Terminating';

/** What comes first in the overview: what a person has to decide, then what moves, then what fails. */
export const GROUPS = ['waits', 'moves', 'fails', 'rest'] as const;
export type Group = (typeof GROUPS)[number];

export interface Shares {
  readonly ready: number;
  readonly starting: number;
  /** Of the newest template, and not going to become ready as they are. */
  readonly failing: number;
  readonly old: number;
  readonly missing: number;
}

/** `link`: the state of the watches. */
export interface LinkRow {
  readonly is: 'live' | 'away';
  /** Since when the cluster is away, and why. */
  readonly since?: number;
  readonly because?: string;
}

/** `session`: whose rights these are, and where. */
export interface SessionRow {
  readonly server: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Kinds that cannot be shown, with the reason. */
  readonly missing: Readonly<Partial<Record<KindName, string>>>;
}

/** `item/KIND/NAMESPACE/NAME`: a line of the overview. */
export interface ItemRow {
  readonly kind: KindName;
  readonly namespace: string;
  readonly name: string;
  readonly group: Group;
  readonly state: State;
  readonly message: string;
  /** How many pods fail. */
  readonly failing: number;
  readonly shares: Shares;
  /** `6/6`: what is ready of what is wanted. */
  readonly ready: string;
  readonly images: readonly string[];
  readonly createdAt: number;
}

/** `head`: the object itself. */
export interface HeadRow {
  readonly kind: KindName;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  readonly state: State;
  readonly message: string;
  readonly createdAt: number;
  /** Facts in words: strategy, target, service type. */
  readonly facts: readonly string[];
}

/** `gone`: there is no such object, or none any more. */
export interface GoneRow {
  readonly because: string;
}

/** `capacity`: the counts of a rollout between its bounds. */
export interface CapacityRow {
  readonly wanted: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly old: number;
  readonly unavailable: number;
  readonly floor: number;
  readonly ceiling: number;
  readonly shares: Shares;
}

/** `containers`: what a new image can be set for. */
export type ContainersRow = readonly { readonly name: string; readonly image: string }[];

/** `revision/NUMBER`: pods are drawn in the row of their revision. */
export interface RevisionRow {
  readonly number: number;
  readonly title: string;
  readonly isNew: boolean;
  readonly isRejected: boolean;
  readonly images: readonly string[];
  readonly desired: number;
  readonly ready: number;
}

export type Health = 'ready' | 'starting' | 'changing' | 'failing' | 'terminating';

/** `pod/UID`. */
export interface PodRow {
  readonly name: string;
  /** The key of the row that it is drawn in: a revision, a node, or an object's name. */
  readonly row: string;
  readonly health: Health;
  readonly status: string;
  readonly ready: string;
  readonly restarts: number;
  readonly node: string;
  readonly createdAt: number;
  /** First the one whose log kubectl shows. */
  readonly containers: readonly string[];
}

export type Tone = 'good' | 'waiting' | 'bad';

/** `why`: causes before consequences. */
export interface WhyRow {
  readonly causes: readonly {
    readonly tone: Tone;
    readonly sentence: string;
    readonly evidence: readonly string[];
    readonly advice?: string;
  }[];
  /** What the caller may not read, and so was not considered. */
  readonly unread: readonly string[];
}

/** `event/UID`: newest first by `at`. */
export interface EventRow {
  readonly at: number;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly about: string;
  readonly count: number;
}

/** `history`: newest first. */
export type HistoryRow = readonly {
  readonly number: number;
  readonly cause: string;
  readonly images: readonly string[];
  readonly createdAt: number;
  /** What became of it under a policy. */
  readonly outcome: string;
  readonly isPresent: boolean;
  readonly isRejected: boolean;
}[];

/** `timeline`: how many pods of the present revision had been created, and were ready, at these times. */
export interface TimelineRow {
  readonly startedAt: number;
  /** Absent while it goes on. */
  readonly endedAt: number | undefined;
  readonly wanted: number;
  readonly points: readonly (readonly [at: number, created: number, ready: number])[];
}

/** `policy`: where the rollout stands under its RolloutPolicy, as `kubectl md get` has it. */
export interface PolicyRow {
  readonly name: string;
  readonly state: 'idle' | 'moving' | 'failed';
  readonly words: string;
  readonly steps: readonly {
    readonly title: string;
    readonly pods: string;
    readonly state: 'over' | 'here' | 'ahead';
    readonly waits: readonly string[];
    readonly gates: readonly string[];
  }[];
  readonly plots: readonly PlotRow[];
}

/** The last values of a gate of the present step, oldest first, and its bounds. */
export interface PlotRow {
  readonly name: string;
  readonly values: readonly number[];
  readonly bounds: readonly number[];
}

/** `part/KIND/NAME`: a child of a ModelBox. */
export interface PartRow {
  readonly title: string;
  readonly state: string;
  readonly tone: Tone | 'none';
  readonly detail: string;
}

/** `table` of a Collector. */
export interface TableRow {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** `conditions`, of kinds that have no diagnosis. */
export type ConditionsRow = readonly {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: number | undefined;
}[];

export const VERBS = ['pause', 'resume', 'restart', 'undo', 'set image', 'scale', 'promote', 'abort', 'retry'] as const;
export type Verb = (typeof VERBS)[number];

/** `verbs`: those that fit the object as it is. */
export type VerbsRow = readonly {
  readonly verb: Verb;
  /** Why it cannot be used. */
  readonly refusal?: string;
  /** It is what the rollout waits for. */
  readonly isAwaited?: true;
}[];

/** What a user asks for: as a preview, or to be done. */
export interface ActRequest {
  readonly verb: Verb;
  readonly namespace: string;
  readonly name: string;
  /** Of undo. */
  readonly revision?: number;
  /** Of scale. */
  readonly replicas?: number;
  /** Of set image, by container. */
  readonly images?: Readonly<Record<string, string>>;
  /** Of promote: every step that is left. */
  readonly full?: boolean;
  /** What was previewed is done only to this generation of the object. */
  readonly generation?: number;
  /** And to this attempt and step, where it is about them. */
  readonly attempt?: string;
}

export interface DiffLineRow {
  readonly sign: ' ' | '-' | '+' | '@';
  readonly text: string;
}

/** What an action would do, checked by the API server. */
export interface Preview {
  readonly generation: number;
  readonly attempt?: string;
  readonly sentences: readonly string[];
  readonly diff: readonly DiffLineRow[];
  /** The command that does the same. */
  readonly command: string;
}

export interface Done {
  readonly line: string;
}

/** In place of any other answer. */
export interface Problem {
  readonly problem: string;
}
