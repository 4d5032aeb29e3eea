// Serves webhooks over TLS: defaulting and validating, one path for each kind, and conversion between versions, one path for all.
//
// Guarantees: every request gets a response, and none ends the process. A handler that throws or takes too long is
// answered with 500 or 504 and no detail, so that the webhook's failurePolicy decides; the log has the detail. Paths,
// methods, content types and bodies that are not admission reviews get the matching HTTP status.
//
// What requests hold is bounded: bytes (intake.ts), connections and handshakes (server/connections.ts) and concurrent
// reviews. Large reviews run one after the other, and the event loop is free in between. Beyond a bound the response is
// 503 with Retry-After. Neither responses nor logs repeat anything of a refused request.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import type { CertificateSource, ClientCaSource } from '../certificates/source.ts';
import { type Clock, monotonicClock } from '../clock.ts';
import type { CustomResource } from '../custom-resource.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import type { KubeObject } from '../object.ts';
import type { Address } from '../server/address.ts';
import { send, sendText, urlOf } from '../server/http.ts';
import { Listener } from '../server/listener.ts';
import { TokenBucket } from '../token-bucket.ts';
import {
  type AdmissionRequest,
  type AdmissionResponse,
  defaulted,
  untouched,
  type ValidationResult,
  validated,
} from './admission.ts';
import { CONVERSION_PATH, convert } from './conversion.ts';
import { HttpProblem } from './http-problem.ts';
import { busy, Intake } from './intake.ts';
import { conversionIn, conversionReviewOf, free, lengthOf, readBody, requestIn, reviewOf } from './review.ts';
import { Turns } from './turns.ts';

/** Returns the object with its defaults; the signal aborts when no client waits for the response any more. */
export type Defaulter<T extends KubeObject> = (
  object: T,
  request: AdmissionRequest<T>,
  signal: AbortSignal,
) => T | Promise<T>;

/** Returns the errors of the request, if any. */
export type Validator<T extends KubeObject> = (
  request: AdmissionRequest<T>,
  signal: AbortSignal,
) => ValidationResult | Promise<ValidationResult>;

/** Observes the server, for metrics. */
export interface WebhookObserver {
  /** A request for this path began; the result is called with the HTTP status when it is answered. */
  request?(path: string): (status: number) => void;
  /** A handler threw. */
  panic?(path: string): void;
}

/** Settings of a webhook server. */
export interface WebhookServerOptions {
  /** @default port 9443 on every interface */
  readonly address?: Address;
  readonly certificates: CertificateSource;
  /** Only clients with a certificate of this CA are served. @default every client */
  readonly clientCa?: ClientCaSource;
  /** The API server's own limit for an object, and some. @default 3 MiB */
  readonly maxBodyBytes?: number;
  /** Of all requests together. @default 24 MiB */
  readonly maxBytesInFlight?: number;
  /** The longest that Kubernetes lets a webhook take. @default 30_000 */
  readonly timeoutMs?: number;
  readonly log?: Logger;
  readonly observer?: WebhookObserver;
  readonly clock?: Clock;
}

/** What happens at one path: a body becomes the body of the answer. */
interface Endpoint {
  readonly maxBodyBytes: number;
  readonly review: (body: Buffer, signal: AbortSignal) => Promise<string>;
}

const MIB = 1024 * 1024;
/** The API server has a whole list converted in one request. */
const LARGEST_LIST_BYTES = 16 * MIB;
/** A larger body takes tens of milliseconds and ten times its size to review. */
const LARGE_BYTES = 128 * 1024;
/** A dry run is most of a review, and at most eight run at once. */
const SMALL_AT_ONCE = 32;
const LARGE_AT_ONCE = 1;
/** Limits log lines about refused requests, of which there can be thousands. */
const REFUSALS_LOGGED = { burst: 20, perSecond: 1 };

/** Answers the API server: defaults, validates and converts objects. */
export class WebhookServer implements Runnable {
  readonly name = 'webhook server';
  readonly phase: Phase = 'webhooks';
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #listener: Listener;
  readonly #log: Logger;
  readonly #observer: WebhookObserver;
  readonly #clock: Clock;
  readonly #maxBodyBytes: number;
  readonly #timeoutMs: number;
  readonly #intake: Intake;
  readonly #small = new Turns(SMALL_AT_ONCE);
  readonly #large = new Turns(LARGE_AT_ONCE);
  readonly #refusalsLogged: TokenBucket;

  constructor(options: WebhookServerOptions) {
    const { certificates, clientCa, log = silentLogger } = options;
    this.#log = log;
    this.#observer = options.observer ?? {};
    this.#clock = options.clock ?? monotonicClock;
    this.#maxBodyBytes = options.maxBodyBytes ?? 3 * MIB;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#intake = new Intake(options.maxBytesInFlight ?? 24 * MIB);
    this.#refusalsLogged = new TokenBucket(this.#clock, REFUSALS_LOGGED);
    const address = options.address ?? { port: 9443 };
    const handler = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    this.#listener = new Listener({
      name: 'webhook',
      address,
      certificates,
      ...(clientCa && { clientCa }),
      handler,
      log,
    });
  }

  /** Answers a mutating webhook at this path with what `fn` makes of the object. Deletions pass. */
  defaulter<T extends KubeObject>(path: string, fn: Defaulter<T>): this {
    return this.#addAdmission(path, async (body, signal) => {
      // Which kind a path is for is said in the webhook configuration.
      const request = requestIn(body) as AdmissionRequest<T>;
      if (request.object === null) return untouched(request);
      // Parsed again, because `fn` may change its argument; a clone would cost four times as much.
      const given = requestIn(body).object as T;
      return defaulted(request, await fn(given, request, signal));
    });
  }

  /** Answers a validating webhook at this path with what `fn` finds. */
  validator<T extends KubeObject>(path: string, fn: Validator<T>): this {
    return this.#addAdmission(path, async (body, signal) => {
      const request = requestIn(body) as AdmissionRequest<T>;
      return validated(request, await fn(request, signal));
    });
  }

  /** Converts objects of these kinds between their versions. */
  converter(kinds: readonly CustomResource[]): this {
    const review: Endpoint['review'] = async (body) => conversionReviewOf(convert(kinds, conversionIn(body)));
    return this.#add(CONVERSION_PATH, { maxBodyBytes: LARGEST_LIST_BYTES, review });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#listener.start(signal);
  }

  ready(): Promise<number> {
    return this.#listener.listening;
  }

  #addAdmission(path: string, admit: (body: Buffer, signal: AbortSignal) => Promise<AdmissionResponse>): this {
    const review: Endpoint['review'] = async (body, signal) => reviewOf(await admit(body, signal));
    return this.#add(path, { maxBodyBytes: this.#maxBodyBytes, review });
  }

  #add(path: string, endpoint: Endpoint): this {
    if (this.#endpoints.has(path)) throw new Error(`webhook path ${path} is taken`);
    this.#endpoints.set(path, endpoint);
    return this;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = urlOf(message).pathname;
    const endpoint = this.#endpoints.get(path);
    if (endpoint === undefined) return refuse(response, new HttpProblem(404, 'no webhook at this path'));
    const done = this.#observer.request?.(path);
    try {
      await this.#within(response, (over) => this.#answer(message, response, { endpoint, over }));
    } catch (error) {
      this.#refuse(path, error, response);
    } finally {
      done?.(response.statusCode);
    }
  }

  async #answer(
    message: IncomingMessage,
    response: ServerResponse,
    { endpoint, over }: { readonly endpoint: Endpoint; readonly over: AbortController },
  ): Promise<void> {
    const length = lengthOf(message, endpoint.maxBodyBytes);
    const room = this.#intake.enter(length, () => over.abort(busy()));
    response.once('close', room.release);
    const body = await readBody(message, length, over.signal);
    room.keep();
    const answer = await this.#judge(endpoint, body, over.signal).finally(() => free(body));
    room.exchange(Buffer.byteLength(answer), () => response.destroy());
    send(response, 200, answer, 'application/json');
  }

  async #judge({ review }: Endpoint, body: Buffer, signal: AbortSignal): Promise<string> {
    const turns = body.length > LARGE_BYTES ? this.#large : this.#small;
    const endTurn = await turns.take(signal);
    try {
      await setImmediate(); // lets everything else run before the next review
      return await review(body, signal);
    } finally {
      endTurn();
    }
  }

  /**
   * Responds with a signal that aborts when time is up, when the API server has disconnected, or when the request is
   * ended.
   */
  async #within(response: ServerResponse, answer: (over: AbortController) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const ended = Promise.withResolvers<never>();
    over.signal.addEventListener('abort', () => ended.reject(over.signal.reason), { once: true });
    const timer = this.#clock.after(this.#timeoutMs, () =>
      over.abort(new HttpProblem(504, `no answer within ${this.#timeoutMs} ms`)),
    );
    const onClose = (): void => over.abort(new HttpProblem(499, 'the API server has hung up'));
    response.once('close', onClose);
    try {
      await Promise.race([answer(over), ended.promise]);
    } finally {
      timer.cancel();
      response.off('close', onClose);
    }
  }

  #refuse(path: string, error: unknown, response: ServerResponse): void {
    const problem = error instanceof HttpProblem ? error : new HttpProblem(500, 'webhook failed');
    if (this.#refusalsLogged.tryTake()) {
      this.#log.error('cannot answer webhook request', { path, status: problem.status, error });
    }
    if (problem !== error) this.#observer.panic?.(path);
    refuse(response, problem);
  }
}

/** Refuses a request without reading the rest of it. */
function refuse(response: ServerResponse, { status, message }: HttpProblem): void {
  response.setHeader('connection', 'close');
  if (status === 503) response.setHeader('retry-after', '1');
  sendText(response, status, `${message}\n`);
}
