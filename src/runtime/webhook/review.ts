// Reads an AdmissionReview out of an HTTP request and says with which status it is to be refused if it is none.

import type { IncomingMessage } from 'node:http';
import type { AdmissionRequest, AdmissionResponse } from './admission.ts';
import { HttpProblem } from './http-problem.ts';

const API_VERSION = 'admission.k8s.io/v1';

interface AdmissionReview {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly request?: Partial<AdmissionRequest>;
}

/** The request inside; rejects with an HttpProblem. */
export async function readReview(message: IncomingMessage, maxBytes: number): Promise<AdmissionRequest> {
  if (message.method !== 'POST') throw new HttpProblem(405, `method ${message.method} is not allowed, use POST`);
  const contentType = message.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new HttpProblem(415, `content type "${contentType}" is not application/json`);
  }
  return requestOf(parse(await readBody(message, maxBytes)));
}

/** The body of the answer. */
export function reviewOf(response: AdmissionResponse): string {
  return JSON.stringify({ apiVersion: API_VERSION, kind: 'AdmissionReview', response });
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new HttpProblem(400, 'body did not arrive', { cause });
  }
  if (length > maxBytes) throw new HttpProblem(413, `body is larger than ${maxBytes} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): AdmissionReview {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HttpProblem(400, 'body is not JSON', { cause });
  }
}

function requestOf(review: AdmissionReview | null): AdmissionRequest {
  if (review?.apiVersion !== API_VERSION || review.kind !== 'AdmissionReview') {
    const found = JSON.stringify({ apiVersion: review?.apiVersion, kind: review?.kind });
    throw new HttpProblem(400, `body is not an AdmissionReview of ${API_VERSION}: ${found}`);
  }
  const { request } = review;
  if (!request || typeof request.uid !== 'string' || typeof request.kind?.kind !== 'string') {
    throw new HttpProblem(400, 'AdmissionReview has no request with a uid and a kind');
  }
  return { ...request, object: request.object ?? null, oldObject: request.oldObject ?? null } as AdmissionRequest;
}
