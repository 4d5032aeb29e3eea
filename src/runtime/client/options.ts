// The options of every verb in one place, and the query string they become.

import type { KubeObject } from '../object.ts';

/** What every request takes. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** For all attempts together; for a watch until it begins. @default the client's, 60 s */
  readonly timeoutMs?: number;
  /** The first one included. @default the client's, 5 */
  readonly attempts?: number;
}

/** How to read one object. */
export interface GetOptions extends RequestOptions {
  /** `0` allows any cached version. */
  readonly resourceVersion?: string;
  readonly subresource?: 'status';
}

/** Which objects of a kind. */
export interface Selection {
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** A range of hashes of namespaces (KEP-5866). An API server that does not know it returns everything. */
  readonly shardSelector?: string;
}

/** Which objects to list, and from which version. */
export interface ListOptions extends RequestOptions, Selection {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly limit?: number;
  readonly continue?: string;
  /** Of the objects only their metadata, which is much cheaper where they are large. */
  readonly metadataOnly?: boolean;
  /** Leaves metadata.managedFields out of the objects, which makes reading them much cheaper. */
  readonly omitManagedFields?: boolean;
}

/** Which objects to watch, and from which version. */
export interface WatchOptions extends RequestOptions, Selection {
  /** Where to start; without it the server begins with the objects there are, as ADDED. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly allowWatchBookmarks?: boolean;
  /** The objects there are come first, and a bookmark marked `k8s.io/initial-events-end` after them. */
  readonly sendInitialEvents?: boolean;
  /** After this the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** Leaves metadata.managedFields out of the objects, which makes reading them much cheaper. */
  readonly omitManagedFields?: boolean;
  /** Called once the server has accepted the watch. */
  readonly onOpen?: () => void;
}

/** How to write an object. */
export interface WriteOptions extends RequestOptions {
  /** Admission and validation run, nothing is stored. */
  readonly dryRun?: boolean;
  /** @default the client's */
  readonly fieldManager?: string;
  /** What the server does about unknown and duplicate fields. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** `resize` is a pod's. */
  readonly subresource?: 'status' | 'resize';
}

/** Which state of an object to delete, and what becomes of what it owns. */
export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  /** Delete only the object with this uid. */
  readonly uid?: string;
  /** Delete only if the object is still at this version. */
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/** Which objects to delete. */
export interface DeleteCollectionOptions
  extends Omit<DeleteOptions, 'uid' | 'resourceVersion'>,
    // An API server that ignores a shard selector would delete what is outside of it.
    Omit<Selection, 'shardSelector'> {}

/** The same options for any other subresource, whose objects are of another type: scale, eviction, token… */
export type Subresource<Options> = Omit<Options, 'subresource'> & { readonly subresource: string };

/** A change of one object; `type` says how the server reads it. */
export type Patch =
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }
  | { readonly type: 'strategic'; readonly body: object }
  | { readonly type: 'apply'; readonly body: object; readonly fieldManager: string; readonly force?: boolean };

/** An operation of RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string };

/** One page of a list. */
export interface ObjectList<T extends KubeObject> {
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

/** How far a watch has come; it carries no object. */
export interface Bookmark {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** What a watch says. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: Bookmark };

/** `?a=b&c=d` of what is defined, or nothing. */
export function queryOf(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let query = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    query += `${query === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return query;
}
