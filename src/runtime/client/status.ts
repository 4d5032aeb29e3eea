// Reads the Status out of a refusal. A server, or a proxy before it, may say anything at any length: what is kept has the
// form of a Status, short texts and a bounded number of causes. Errors are held by the hundred and logged, so every text
// is cut here, where it enters.

import type { Status, StatusCause } from '../errors.ts';
import { shorten } from '../shorten.ts';
import type { HttpAnswer } from './send.ts';

/** As many fields as a user can correct at a time. */
const MOST_CAUSES = 128;

type Fields = Readonly<Record<string, unknown>>;

/** The Status that an answer carries; an answer without one is a Status of its code and its text. */
export function statusOf({ status: code, body }: HttpAnswer): Status {
  const text = body.toString('utf8');
  try {
    const parsed: unknown = JSON.parse(text);
    if (isFields(parsed) && parsed.kind === 'Status') return { code, ...readStatus(parsed) };
  } catch {
    // Proxies and panics answer in plain text, which is then the message.
  }
  return { kind: 'Status', code, message: shorten(text.trim()) };
}

/** What has the form of a Status, and no more of it than may be kept. */
export function readStatus(value: unknown): Status {
  if (!isFields(value)) return { kind: 'Status' };
  const { code, details } = value;
  return {
    kind: 'Status',
    ...(typeof code === 'number' && { code }),
    ...textsOf(value, ['reason', 'message']),
    ...(isFields(details) && { details: readDetails(details) }),
  };
}

function readDetails(details: Fields): NonNullable<Status['details']> {
  const { causes, retryAfterSeconds } = details;
  return {
    ...textsOf(details, ['name', 'group', 'kind', 'uid']),
    ...(Array.isArray(causes) && { causes: readCauses(causes) }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  };
}

function readCauses(causes: readonly unknown[]): readonly StatusCause[] {
  const kept = causes.slice(0, MOST_CAUSES).filter(isFields);
  const more = causes.length - MOST_CAUSES;
  return [
    ...kept.map((cause) => textsOf(cause, ['reason', 'message', 'field'])),
    ...(more > 0 ? [{ message: `${more} more causes` }] : []),
  ];
}

/** Those of the named members that are texts, in short. */
function textsOf<Name extends string>(fields: Fields, names: readonly Name[]): { readonly [name in Name]?: string } {
  const texts = names.flatMap((name) => {
    const text = fields[name];
    return typeof text === 'string' ? [[name, shorten(text)] as const] : [];
  });
  return Object.fromEntries(texts) as { readonly [name in Name]?: string };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
