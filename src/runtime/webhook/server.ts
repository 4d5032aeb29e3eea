// Serves admission webhooks: defaulting and validating, one path each, over TLS.
//
// Guarantees: whatever arrives is answered, and nothing that arrives ends the process. A handler that throws or takes too
// long is answered with 500 or 504 and no detail, so that the webhook's failurePolicy decides; the log says more. Paths,
// methods, content types and bodies that are no admission reviews get the HTTP status that says so.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CertificateSource } from '../certificates/source.ts';
import { type Clock, monotonicClock } from '../clock.ts';
import { type Logger, silentLogger } from '../log.ts';
import type { Phase, Runnable } from '../manager/runnable.ts';
import type { KubeObject } from '../object.ts';
import type { Address } from '../server/address.ts';
import { send, sendText, urlOf } from '../server/http.ts';
import { Listener } from '../server/listener.ts';
import {
  type AdmissionRequest,
  type AdmissionResponse,
  defaulted,
  type Findings,
  untouched,
  validated,
} from './admission.ts';
import { HttpProblem } from './http-problem.ts';
import { readReview, reviewOf } from './review.ts';

/** Returns the object as it should be; the signal aborts when nobody waits for the answer any more. */
export type Defaulter<T extends KubeObject> = (
  object: T,
  request: AdmissionRequest<T>,
  signal: AbortSignal,
) => T | Promise<T>;

/** Says what is wrong with the request, if anything. */
export type Validator<T extends KubeObject> = (
  request: AdmissionRequest<T>,
  signal: AbortSignal,
) => Findings | Promise<Findings>;

/** What the server tells those who count. */
export interface WebhookObserver {
  /** A request for this path began; the result is called with the HTTP status when it is answered. */
  request?(path: string): (status: number) => void;
  /** A handler threw. */
  panic?(path: string): void;
}

export interface WebhookServerOptions {
  /** @default port 9443 on every interface */
  readonly address?: Address;
  readonly certificates: CertificateSource;
  /** The API server's own limit for an object, and some. @default 3 MiB */
  readonly maxBodyBytes?: number;
  /** The longest that Kubernetes lets a webhook take. @default 30_000 */
  readonly timeoutMs?: number;
  readonly log?: Logger;
  readonly observer?: WebhookObserver;
  readonly clock?: Clock;
}

type Review = (request: AdmissionRequest, signal: AbortSignal) => Promise<AdmissionResponse>;

export class WebhookServer implements Runnable {
  readonly name = 'webhook server';
  readonly phase: Phase = 'webhooks';
  readonly #reviews = new Map<string, Review>();
  readonly #listener: Listener;
  readonly #log: Logger;
  readonly #observer: WebhookObserver;
  readonly #clock: Clock;
  readonly #maxBodyBytes: number;
  readonly #timeoutMs: number;

  constructor(options: WebhookServerOptions) {
    const { certificates, log = silentLogger } = options;
    this.#log = log;
    this.#observer = options.observer ?? {};
    this.#clock = options.clock ?? monotonicClock;
    this.#maxBodyBytes = options.maxBodyBytes ?? 3 * 1024 * 1024;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    const address = options.address ?? { port: 9443 };
    const handler = (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response);
    this.#listener = new Listener({ address, certificates, handler, log, requestTimeoutMs: this.#timeoutMs });
  }

  /** Answers a mutating webhook at this path with what `fn` makes of the object. Deletions pass. */
  defaulter<T extends KubeObject>(path: string, fn: Defaulter<T>): this {
    return this.#add(path, async (request, signal) => {
      if (request.object === null) return untouched(request);
      // Which kind a path is for is said in the webhook configuration.
      const typed = request as AdmissionRequest<T> & { readonly object: T };
      return defaulted(request, await fn(structuredClone(typed.object), typed, signal));
    });
  }

  /** Answers a validating webhook at this path with what `fn` finds. */
  validator<T extends KubeObject>(path: string, fn: Validator<T>): this {
    return this.#add(path, async (request, signal) =>
      validated(request, await fn(request as AdmissionRequest<T>, signal)),
    );
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#listener.start(signal);
  }

  ready(): Promise<number> {
    return this.#listener.listening;
  }

  #add(path: string, review: Review): this {
    if (this.#reviews.has(path)) throw new Error(`webhook path ${path} is taken`);
    this.#reviews.set(path, review);
    return this;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = urlOf(message).pathname;
    const review = this.#reviews.get(path);
    if (review === undefined) {
      sendText(response, 404, `no webhook at ${path}\n`);
      return;
    }
    const done = this.#observer.request?.(path);
    try {
      const request = await readReview(message, this.#maxBodyBytes);
      const answer = reviewOf(await this.#within(review, request, response));
      send(response, 200, answer, 'application/json');
    } catch (error) {
      this.#refuse(path, error, response);
    } finally {
      done?.(response.statusCode);
    }
  }

  /** Runs a handler with a signal that aborts when time is up or the API server has hung up. */
  async #within(review: Review, request: AdmissionRequest, response: ServerResponse): Promise<AdmissionResponse> {
    const over = new AbortController();
    const timedOut = Promise.withResolvers<never>();
    const timer = this.#clock.after(this.#timeoutMs, () => {
      over.abort(new HttpProblem(504, `no answer within ${this.#timeoutMs} ms`));
      timedOut.reject(over.signal.reason);
    });
    const onClose = (): void => over.abort(new Error('the API server has hung up'));
    response.once('close', onClose);
    try {
      return await Promise.race([review(request, over.signal), timedOut.promise]);
    } finally {
      timer.cancel();
      response.off('close', onClose);
    }
  }

  #refuse(path: string, error: unknown, response: ServerResponse): void {
    this.#log.error('cannot answer webhook request', { path, error });
    if (error instanceof HttpProblem) {
      response.setHeader('connection', 'close'); // what is left of the request is not worth reading
      sendText(response, error.status, `${error.message}\n`);
    } else {
      this.#observer.panic?.(path);
      sendText(response, 500, 'webhook failed\n');
    }
  }
}
