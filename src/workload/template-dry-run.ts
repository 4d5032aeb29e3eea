// Has the API server validate a pod template, by a dry run that creates it as a core/v1 PodTemplate. The response has
// every native default or every native error of the cluster's Kubernetes version; nothing is stored, and no admission
// plugin for pods runs.

import type { Client } from '../runtime/client/client.ts';
import { AnswerTooLong, type ApiError, isApiError, type StatusCause } from '../runtime/errors.ts';
import type { KubeObject } from '../runtime/object.ts';
import type { Resource } from '../runtime/resource.ts';
import type { FieldError } from '../runtime/webhook/field-error.ts';
import type { PodTemplate } from './template-schema.ts';

interface StoredTemplate extends KubeObject {
  readonly template: PodTemplate;
}

const podTemplates: Resource<StoredTemplate> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
};

/** The cause that the API server reports when it refuses to create anything in a terminating namespace. */
const TERMINATING = 'NamespaceTerminating';

export type TemplateVerdict =
  /** Valid, with every default filled in. */
  | { readonly template: PodTemplate }
  /** Invalid, with field paths that start at the owner's `spec.template`. */
  | { readonly errors: readonly FieldError[] };

/** Has the API server default and validate a template. Throws when the request fails. */
export async function dryRunTemplate(
  client: Client,
  namespace: string,
  template: PodTemplate,
  signal?: AbortSignal,
): Promise<TemplateVerdict> {
  const manifest = {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { namespace, generateName: 'dry-run-' },
    template,
  };
  try {
    const stored = await client.create(podTemplates, manifest, {
      dryRun: true,
      // The owner's own schema has checked unknown fields already, and this API server may know more fields than that
      // schema.
      fieldValidation: 'Ignore',
      ...(signal && { signal }),
    });
    return { template: withoutNulls(stored.template) };
  } catch (error) {
    if (isApiError(error, 'Invalid')) return { errors: error.causes.map(atSpecTemplate) };
    if (isApiError(error, 'BadRequest')) return { errors: [undecodable(error)] };
    if (isApiError(error) && error.cause instanceof AnswerTooLong) return { errors: [TOO_LONG] };
    throw error;
  }
}

/** True when the namespace does not exist or is terminating: no pod can run there, so the template is not validated. */
export function isNamespaceGoing(error: unknown): boolean {
  const isTerminating = isApiError(error, 'Forbidden') && error.causes.some(({ reason }) => reason === TERMINATING);
  return isTerminating || isApiError(error, 'NotFound');
}

/** A quota refuses a dry run as it refuses an object that would be stored. */
const QUOTA = /^podtemplates "[^"]*" is forbidden: (exceeded quota|status unknown for quota|insufficient quota)/;

/**
 * The message of a quota that allows no PodTemplate in the namespace; undefined when something else refused. The API
 * server checks quotas last, on an object that it has found valid: the template is valid, only its defaults are
 * unknown.
 */
export function quotaRefusal(error: unknown): string | undefined {
  const message = isApiError(error, 'Forbidden') ? (error.status?.message ?? '') : '';
  return QUOTA.test(message) ? message.replace(/^.*? is forbidden: /, '') : undefined;
}

/** With its defaults the template is much longer than anything that can be stored. */
const TOO_LONG: FieldError = {
  field: 'spec.template',
  message: 'Too long: has too many parts to be stored with their defaults',
  reason: 'FieldValueTooLong',
};

/**
 * A value that cannot be decoded, such as a quantity in words: the API server says what is wrong with it, but not
 * where.
 */
function undecodable({ status, message }: ApiError): FieldError {
  const words = (status?.message ?? message).replace(
    /^PodTemplate in version "v1" cannot be handled as a PodTemplate: /,
    '',
  );
  return { field: 'spec.template', message: `Invalid value: ${words}`, reason: 'FieldValueInvalid' };
}

/** A cause may have no field, such as the one that says how many more causes there are. */
function atSpecTemplate({ field, message = '', reason = 'FieldValueInvalid' }: StatusCause): FieldError {
  return { field: `spec.${field ?? 'template'}`, message, reason };
}

/**
 * The API server writes null for empty values: `projected.sources`, a claim's `apiGroup`, in older versions
 * `metadata.creationTimestamp`. The schema of a custom resource refuses null, and it must not start a rollout.
 */
function withoutNulls<T>(value: T): T {
  return hasNull(value) ? copyWithoutNulls(value) : value;
}

/** Most templates contain no null, and a large template need not be copied. */
function hasNull(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.some(hasNull) : Object.values(value as object).some(hasNull);
}

function copyWithoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyWithoutNulls) as T;
  if (typeof value !== 'object' || value === null) return value;
  const said = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(said.map(([key, member]) => [key, copyWithoutNulls(member)])) as T;
}
