// Reads what the page asks for. The page is ours, but the address can be typed by hand: what does not fit is refused by name.

import { UsageError } from '../../arguments.ts';
import { type ActRequest, KINDS, type KindName, VERBS, type Verb } from '../protocol.ts';

/** What the API server takes as the name of an object. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const MOST_REPLICAS = 2 ** 31 - 1;

export function nameIn(query: URLSearchParams, field: string): string {
  return nameOf(query.get(field), field);
}

export function kindIn(query: URLSearchParams): KindName {
  const kind = KINDS.find((each) => each === query.get('kind'));
  if (kind === undefined) throw new UsageError(`kind is one of ${KINDS.join(', ')}, got "${query.get('kind')}"`);
  return kind;
}

export function countIn(query: URLSearchParams, field: string): number | undefined {
  const text = query.get(field);
  return text === null ? undefined : countOf(Number(text), field);
}

/** An action, with its fields checked. */
export function readAct(body: unknown): ActRequest {
  const { verb, namespace, name, revision, replicas, images, full, generation, attempt } = recordOf(body, 'the body');
  return {
    verb: verbOf(verb),
    namespace: nameOf(namespace, 'namespace'),
    name: nameOf(name, 'name'),
    ...(revision !== undefined && { revision: countOf(revision, 'revision') }),
    ...(replicas !== undefined && { replicas: countOf(replicas, 'replicas') }),
    ...(images !== undefined && { images: imagesOf(images) }),
    ...(full === true && { full }),
    ...(generation !== undefined && { generation: countOf(generation, 'generation') }),
    ...(attempt !== undefined && { attempt: String(attempt) }),
  };
}

function verbOf(value: unknown): Verb {
  const verb = VERBS.find((each) => each === value);
  if (verb === undefined) throw new UsageError(`verb is one of ${VERBS.join(', ')}, got ${JSON.stringify(value)}`);
  return verb;
}

function nameOf(value: unknown, field: string): string {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw new UsageError(`${field} is the name of an object, got ${JSON.stringify(value)}`);
}

function countOf(value: unknown, field: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_REPLICAS) return value as number;
  throw new UsageError(`${field} is a whole number from 0 on, got ${JSON.stringify(value)}`);
}

function imagesOf(value: unknown): Readonly<Record<string, string>> {
  const images = recordOf(value, 'images');
  for (const [container, image] of Object.entries(images)) {
    const isImage = typeof image === 'string' && image.trim() === image && image !== '';
    if (!isImage) throw new UsageError(`images.${container} is an image, got ${JSON.stringify(image)}`);
  }
  return images as Readonly<Record<string, string>>;
}

function recordOf(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${field} is an object, got ${JSON.stringify(value)}`);
}
