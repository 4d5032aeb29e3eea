// An error of one field, with the API server's messages and the shape of a cause in its Status, so that the operator's
// own errors and causes of a dry run are handled alike.

import type { Status, StatusCause } from '../errors.ts';
import { shorten } from '../shorten.ts';

/** As many errors as a user can correct at a time. */
const MOST_ERRORS = 256;

/** `spec.replicas` · `FieldValueInvalid` · `Invalid value: -1: must be greater than or equal to 0`. */
export type FieldError = Required<StatusCause>;

/** The value is there and cannot be right. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, withValue('Invalid value', value), detail);
}

/** What is wrong with a number that counts something; nothing when it is a whole number from 0 to `max`. */
export function validateCount(field: string, value: number, max = Number.MAX_SAFE_INTEGER): FieldError[] {
  if (!Number.isInteger(value)) return [invalid(field, value, 'must be a whole number')];
  if (value < 0) return [invalid(field, value, 'must be greater than or equal to 0')];
  return value > max ? [invalid(field, value, `must be less than or equal to ${max}`)] : [];
}

/** The value is missing. */
export function required(field: string, detail = ''): FieldError {
  return fieldError('FieldValueRequired', field, 'Required value', detail);
}

/** The value could be right elsewhere, not here. */
export function forbidden(field: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, 'Forbidden', detail);
}

/** The value is not one of those that exist. */
export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`;
  return fieldError('FieldValueNotSupported', field, withValue('Unsupported value', value), detail);
}

/** The value must be unique in its list. */
export function duplicate(field: string, value: unknown): FieldError {
  return fieldError('FieldValueDuplicate', field, withValue('Duplicate value', value));
}

/** The value is too long to be shown. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return fieldError('FieldValueTooLong', field, 'Too long', `may not be more than ${maxBytes} bytes`);
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function renderFieldError(error: FieldError): string {
  return `${error.field}: ${error.message}`;
}

/** The object that errors are about. */
export interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The Status with which the API server refuses an invalid object of its own kinds; of many errors, the first. */
export function invalidStatus(object: InvalidObject, all: readonly FieldError[]): Status {
  const [group, kind, name] = [shorten(object.group), shorten(object.kind), shorten(object.name)];
  const errors = all.slice(0, MOST_ERRORS);
  const more = all.length - errors.length;
  const words = [...new Set(errors.map(renderFieldError)), ...(more > 0 ? [`${more} more errors`] : [])];
  const found = words.length === 1 ? words[0] : `[${words.join(', ')}]`;
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`;
  return {
    code: 422,
    reason: 'Invalid',
    message: `${qualifiedKind} ${JSON.stringify(name)} is invalid: ${found}`,
    details: { group, kind, name, causes: errors },
  };
}

function fieldError(reason: string, field: string, what: string, detail = ''): FieldError {
  return { reason, field, message: detail === '' ? what : `${what}: ${detail}` };
}

function withValue(what: string, value: unknown): string {
  return `${what}: ${shorten(JSON.stringify(value ?? null))}`;
}
