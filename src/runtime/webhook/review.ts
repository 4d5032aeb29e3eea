// Reads an AdmissionReview or a ConversionReview from an HTTP request, or says with which status to refuse it. Refusals repeat nothing of the
// request: every client that can reach the port can send one.

import type { IncomingMessage } from 'node:http';
import type { AdmissionRequest, AdmissionResponse } from './admission.ts';
import type { ConversionRequest, ConversionResponse } from './conversion.ts';
import { HttpProblem } from './http-problem.ts';

const API_VERSION = 'admission.k8s.io/v1';
const CONVERSION_VERSION = 'apiextensions.k8s.io/v1';

/** Repeated in every response. The API server's have 36 characters. */
const LONGEST_UID = 256;

interface AdmissionReview {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly request?: Partial<AdmissionRequest>;
}

/** How many bytes to expect of a request that may be a review; throws an HttpProblem for others. */
export function lengthOf(message: IncomingMessage, maxBytes: number): number {
  const { 'content-type': contentType = '', 'content-length': declared } = message.headers;
  if (message.method !== 'POST') throw new HttpProblem(405, 'method is not allowed, use POST');
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw new HttpProblem(415, 'content type is not application/json');
  // Node has checked that the declared length is a number, and that no more arrives.
  const length = declared === undefined ? maxBytes : Number(declared);
  if (length > maxBytes) throw tooLarge(maxBytes);
  return length;
}

/** Reads a body of at most `maxBytes`; rejects with an HttpProblem, or with the signal's reason. */
export function readBody(message: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  // Copied into one buffer: a body that arrives in pieces of one byte would otherwise take a thousand times its size.
  // The unused part of the buffer takes no memory.
  const body = Buffer.allocUnsafeSlow(maxBytes);
  let length = 0;
  let isOver = false;
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      if (isOver) return;
      isOver = true;
      message.off('data', take);
      message.pause();
      free(body);
      reject(reason);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) chunk.copy(body, length - chunk.length);
      else fail(tooLarge(maxBytes));
    };
    message.on('data', take);
    message.once('end', () => {
      isOver = true;
      resolve(body.subarray(0, length));
    });
    message.once('error', (cause) => fail(new HttpProblem(400, 'body did not arrive', { cause })));
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}

/** Frees the memory of a body at once: as garbage, megabytes would wait for the collector while others arrive. */
export function free(body: Buffer): void {
  (body.buffer as ArrayBuffer).transfer(0);
}

/** The request for conversions inside of a body; throws an HttpProblem. */
export function conversionIn(body: Buffer): ConversionRequest {
  const review = parse(body.toString('utf8')) as { apiVersion?: unknown; kind?: unknown; request?: ConversionRequest };
  if (review?.apiVersion !== CONVERSION_VERSION || review.kind !== 'ConversionReview') {
    throw new HttpProblem(400, `body is not a ConversionReview of ${CONVERSION_VERSION}`);
  }
  const { request } = review;
  if (typeof request?.uid !== 'string' || typeof request.desiredAPIVersion !== 'string' || !request.objects) {
    throw new HttpProblem(400, 'ConversionReview has no request with a uid, a desiredAPIVersion and objects');
  }
  refuseLongUid(request.uid);
  return request;
}

/** The body of its answer. */
export function conversionReviewOf(response: ConversionResponse): string {
  return JSON.stringify({ apiVersion: CONVERSION_VERSION, kind: 'ConversionReview', response });
}

/** The request inside of a body; throws an HttpProblem. */
export function requestIn(body: Buffer): AdmissionRequest {
  return requestOf(parse(body.toString('utf8')));
}

/** The body of the answer. */
export function reviewOf(response: AdmissionResponse): string {
  return JSON.stringify({ apiVersion: API_VERSION, kind: 'AdmissionReview', response });
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(413, `body is larger than ${maxBytes} bytes`);
}

function parse(text: string): AdmissionReview {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'body is not JSON'); // without its cause, which quotes the body
  }
}

function requestOf(review: AdmissionReview | null): AdmissionRequest {
  if (review?.apiVersion !== API_VERSION || review.kind !== 'AdmissionReview') {
    throw new HttpProblem(400, `body is not an AdmissionReview of ${API_VERSION}`);
  }
  const { request } = review;
  if (!request || typeof request.uid !== 'string' || typeof request.kind?.kind !== 'string') {
    throw new HttpProblem(400, 'AdmissionReview has no request with a uid and a kind');
  }
  refuseLongUid(request.uid);
  return { ...request, object: request.object ?? null, oldObject: request.oldObject ?? null } as AdmissionRequest;
}

function refuseLongUid(uid: string): void {
  if (uid.length > LONGEST_UID)
    throw new HttpProblem(400, `uid of the request is longer than ${LONGEST_UID} characters`);
}
