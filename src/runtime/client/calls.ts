// Spells out each verb as an HTTP call: method, path, query, body, and whether it may be repeated. Pure, so that what
// goes over the wire can be read, and tested, as data.

import type { KubeObject, Manifest, ObjectRef } from '../object.ts';
import { keyOf } from '../object.ts';
import { apiVersionOf, collectionPath, groupResourceOf, objectPath, type Resource } from '../resource.ts';
import type { Verb } from './observer.ts';
import {
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  type ListOptions,
  type Patch,
  queryOf,
  type RequestOptions,
  type Selection,
  type Subresource,
  type WatchOptions,
  type WriteOptions,
} from './options.ts';
import type { Repeat } from './retry.ts';
import type { Call } from './transport.ts';

/** A body that says which object's subresource it is meant for. */
export interface Addressed {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

type Anything = KubeObject | Manifest<KubeObject> | Addressed;

const PATCH_CONTENT_TYPES: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** A server that does not know this form answers with whole objects. */
const METADATA_OF_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/**
 * The most bytes of an answer with one object. The API server takes bodies of 3 MiB, and etcd stores 1.5 MiB; JSON and
 * managedFields make more of it. Only what is not stored has no such bound: a dry run returns a template with its defaults,
 * and containers of a name and an image come back at eleven times their length.
 */
const LONGEST_OBJECT = 8 * 1024 * 1024;

export function getCall(resource: Resource, ref: ObjectRef, options: GetOptions | Subresource<GetOptions>): Call {
  return {
    ...basics('get', 'GET', options),
    longestAnswer: LONGEST_OBJECT,
    path: objectPath(resource, ref, options.subresource) + queryOf({ resourceVersion: options.resourceVersion }),
    title: titleOf('get', resource, ref, options.subresource),
    repeat: 'read',
  };
}

export function listCall(resource: Resource, options: ListOptions): Call {
  const query = queryOf({
    ...selectorsOf(options),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit,
    continue: options.continue,
  });
  return {
    ...basics('list', 'GET', options),
    ...(options.metadataOnly && { headers: { accept: METADATA_OF_LIST } }),
    path: collectionPath(resource, options.namespace) + query,
    title: titleOf('list', resource, options),
    repeat: 'read',
  };
}

export function watchCall(resource: Resource, options: WatchOptions): Call {
  const query = queryOf({
    watch: true,
    ...selectorsOf(options),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    allowWatchBookmarks: options.allowWatchBookmarks,
    sendInitialEvents: options.sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  });
  return {
    ...basics('watch', 'GET', options),
    path: collectionPath(resource, options.namespace) + query,
    title: titleOf('watch', resource, options),
    repeat: 'read',
  };
}

type Write = WriteOptions | Subresource<WriteOptions>;

export function createCall(resource: Resource, body: Anything, options: Write): Call {
  const { name, namespace } = body.metadata;
  const { subresource } = options;
  const shown = { ...(namespace === undefined ? {} : { namespace }), name: name ?? generatedName(body) };
  if (resource.namespaced && namespace === undefined)
    throw new Error(`${resource.kind} "${shown.name}" needs a namespace`);
  const path =
    subresource === undefined
      ? collectionPath(resource, namespace)
      : objectPath(resource, named(body, resource), subresource);
  return {
    ...basics('create', 'POST', options),
    longestAnswer: LONGEST_OBJECT,
    ...jsonBody('application/json', typed(resource, body, subresource)),
    path: path + writeQuery(options),
    title: titleOf('create', resource, shown, subresource),
    repeat: repeatOf(options, false),
    subresource,
  };
}

export function updateCall(resource: Resource, body: Anything, options: Write): Call {
  const ref = named(body, resource);
  const { subresource } = options;
  return {
    ...basics('update', 'PUT', options),
    longestAnswer: LONGEST_OBJECT,
    ...jsonBody('application/json', typed(resource, body, subresource)),
    path: objectPath(resource, ref, subresource) + writeQuery(options),
    title: titleOf('update', resource, ref, subresource),
    repeat: repeatOf(options, hasVersion(body)),
    subresource,
  };
}

export function patchCall(resource: Resource, ref: ObjectRef, patch: Patch, options: Write): Call {
  const pinned = (patch.type === 'merge' || patch.type === 'strategic') && hasVersion(patch.body);
  const body = patch.type === 'apply' ? typed(resource, patch.body, options.subresource) : patch.body;
  const query =
    patch.type === 'apply'
      ? writeQuery({ ...options, fieldManager: patch.fieldManager }, { force: patch.force })
      : writeQuery(options);
  return {
    ...basics('patch', 'PATCH', options),
    longestAnswer: LONGEST_OBJECT,
    ...jsonBody(PATCH_CONTENT_TYPES[patch.type], body),
    path: objectPath(resource, ref, options.subresource) + query,
    title: titleOf(patch.type === 'apply' ? 'apply' : 'patch', resource, ref, options.subresource),
    repeat: repeatOf(options, pinned),
    subresource: options.subresource,
  };
}

export function deleteCall(resource: Resource, ref: ObjectRef, options: DeleteOptions): Call {
  const { uid, resourceVersion } = options;
  const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  return {
    ...basics('delete', 'DELETE', options),
    longestAnswer: LONGEST_OBJECT,
    ...jsonBody('application/json', deleteBody(options, preconditions)),
    path: objectPath(resource, ref),
    title: titleOf('delete', resource, ref),
    repeat: repeatOf(options, uid !== undefined),
  };
}

export function deleteCollectionCall(resource: Resource, options: DeleteCollectionOptions): Call {
  return {
    ...basics('deletecollection', 'DELETE', options),
    ...jsonBody('application/json', deleteBody(options)),
    path: collectionPath(resource, options.namespace) + queryOf(selectorsOf(options)),
    title: titleOf('deletecollection', resource, options),
    repeat: repeatOf(options, false),
  };
}

type Basics = Pick<Call, 'verb' | 'method' | 'headers' | 'signal' | 'timeoutMs' | 'attempts'>;

function basics(verb: Verb, method: string, { signal, timeoutMs, attempts }: RequestOptions): Basics {
  return { verb, method, headers: { accept: 'application/json' }, signal, timeoutMs, attempts };
}

function jsonBody(contentType: string, body: unknown): Pick<Call, 'headers' | 'body'> {
  return { headers: { accept: 'application/json', 'content-type': contentType }, body: asGoEncodes(body) };
}

/**
 * JSON in which the characters that Go escapes are escaped. The API server stores an embedded object, such as the data of
 * a ControllerRevision, in the bytes that it was sent in, and encodes these anew before it applies a patch. Without the
 * escapes these bytes would differ, and the server would refuse every later patch because the data is immutable.
 */
function asGoEncodes(body: unknown): string {
  return JSON.stringify(body).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Names the kind in bodies of the resource itself; a subresource's body has a kind of its own. */
function typed(resource: Resource, body: object, subresource: string | undefined): object {
  if (subresource !== undefined && subresource !== 'status' && subresource !== 'resize') return body;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...body };
}

function deleteBody(
  { dryRun, propagationPolicy, gracePeriodSeconds }: Omit<DeleteOptions, 'uid' | 'resourceVersion'>,
  preconditions?: object,
): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
    gracePeriodSeconds,
    preconditions,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}

function writeQuery(
  { dryRun, fieldManager, fieldValidation }: Write,
  more: { force?: boolean | undefined } = {},
): string {
  return queryOf({ dryRun: dryRun ? 'All' : undefined, fieldManager, fieldValidation, ...more });
}

function selectorsOf({ labelSelector, fieldSelector, shardSelector }: Selection): Omit<Selection, 'namespace'> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(shardSelector === undefined ? {} : { shardSelector }),
  };
}

function repeatOf(options: { readonly dryRun?: boolean }, pinned: boolean): Repeat {
  return pinned || options.dryRun === true ? 'repeatable' : 'once';
}

function hasVersion(body: object): boolean {
  const { metadata } = body as { readonly metadata?: { readonly resourceVersion?: string } };
  return Boolean(metadata?.resourceVersion);
}

function named(body: Anything, resource: Resource): ObjectRef {
  const { name, namespace } = body.metadata;
  if (name === undefined) throw new Error(`${resource.kind} has no metadata.name`);
  return namespace === undefined ? { name } : { namespace, name };
}

function generatedName(body: Anything): string {
  return 'generateName' in body.metadata ? `${body.metadata.generateName}*` : '?';
}

function titleOf(verb: string, resource: Resource, where: Partial<ObjectRef>, subresource?: string): string {
  const what = subresource === undefined ? groupResourceOf(resource) : `${groupResourceOf(resource)}/${subresource}`;
  const place = where.name === undefined ? (where.namespace ?? '') : keyOf(where as ObjectRef);
  return `${verb} ${what} ${place}`.trimEnd();
}
