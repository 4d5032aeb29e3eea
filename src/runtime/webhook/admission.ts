// The AdmissionReview v1 requests of the API server and the responses of webhooks. Turning the result of a handler into
// a response is pure, so every form of response can be tested as data.

import type { JsonPatchOperation } from '../client/options.ts';
import type { Status } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { type FieldError, invalidStatus } from './field-error.ts';
import { jsonPatch } from './json-patch.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What the API server asks a webhook about. */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: GroupVersionKind;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  /** Empty when the API server has yet to generate it. */
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] };
  /** Null on DELETE. */
  readonly object: T | null;
  /** Null on CREATE. */
  readonly oldObject: T | null;
  readonly dryRun?: boolean;
}

/** The result of a validator. Empty means allowed. */
export interface ValidationResult {
  /** Shown to the user whether or not the request is allowed. */
  readonly warnings?: readonly string[];
  /** Refuses the object as the API server refuses an invalid one of its own. */
  readonly errors?: readonly FieldError[];
  /** Refuses the request for a reason that is not about a field. */
  readonly denied?: string;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly warnings?: readonly string[];
  readonly status?: Status;
  readonly patchType?: 'JSONPatch';
  /** Base64 of a JSON patch. */
  readonly patch?: string;
}

/** The answer of a validator. */
export function validated(request: AdmissionRequest, result: ValidationResult): AdmissionResponse {
  const status = refusalOf(request, result);
  return {
    uid: request.uid,
    allowed: status === undefined,
    ...(result.warnings === undefined ? {} : { warnings: result.warnings }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The answer of a defaulter: what must change for the object to become `target`. */
export function defaulted(request: AdmissionRequest, target: KubeObject): AdmissionResponse {
  return patched(request.uid, jsonPatch(request.object, target));
}

/** Admits the request unchanged. */
export function untouched({ uid }: AdmissionRequest): AdmissionResponse {
  return { uid, allowed: true };
}

function patched(uid: string, operations: readonly JsonPatchOperation[]): AdmissionResponse {
  if (operations.length === 0) return { uid, allowed: true };
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { uid, allowed: true, patchType: 'JSONPatch', patch };
}

function refusalOf(request: AdmissionRequest, { errors = [], denied }: ValidationResult): Status | undefined {
  if (errors.length > 0) return invalidStatus({ ...request.kind, name: nameOf(request) }, errors);
  return denied === undefined ? undefined : { code: 403, reason: 'Forbidden', message: denied };
}

/** The object's name, or its generateName. */
function nameOf({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.name || object?.metadata.generateName || '';
}
