// Carries one call to the server: waits for the rate limit, sends, repeats where retry.ts allows it, renews refused
// credentials once, tells the observer, and throws an ApiError for everything that is not a 2xx.
//
// Guarantees: nothing is sent after the call's signal, its fence or its deadline; a wait that would outlast the deadline
// is not begun, and the caller gets the error that caused it.

import { type Clock, sleep } from '../clock.ts';
import { AnswerTooLong, type ApiError } from '../errors.ts';
import { later, msBetween } from '../instant.ts';
import type { Channel, Connection } from './connection.ts';
import { refusal, unanswered } from './failure.ts';
import type { RequestFacts, RequestObserver, Verb } from './observer.ts';
import type { RateLimiter } from './rate-limit.ts';
import { type Repeat, type RetryPolicy, retryDelay } from './retry.ts';
import { CallScope, type Fence } from './scope.ts';
import { type ChunkSink, type HttpAnswer, NoAnswer, send } from './send.ts';

export interface Call {
  readonly verb: Verb;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names the request in errors: `create pods default/web-1`. */
  readonly title: string;
  readonly repeat: Repeat;
  /** The most bytes of the answer. @default no limit */
  readonly longestAnswer?: number | undefined;
  readonly subresource?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly attempts?: number | undefined;
}

export interface TransportParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly limiter: RateLimiter | undefined;
  readonly observer: RequestObserver;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly random: () => number;
}

/** An attempt that failed, and all that decides whether another follows. */
interface Failed {
  readonly error: ApiError;
  readonly sent: boolean;
  /** What was used, when the server refused it or we refused the server's certificate. */
  readonly refused: Channel | undefined;
}

interface Exchange {
  readonly call: Call;
  readonly facts: RequestFacts;
  readonly channel: Channel;
  readonly scope: CallScope;
  readonly sink: ChunkSink | undefined;
}

export class Transport {
  readonly #parts: TransportParts;
  readonly #origin: string;
  readonly #prefix: string;

  constructor(parts: TransportParts) {
    this.#parts = parts;
    const { server } = parts.connection;
    this.#origin = server.origin;
    this.#prefix = server.pathname.replace(/\/$/, '');
  }

  /** Resolves with the 2xx answer. */
  async call(call: Call, fences: readonly Fence[]): Promise<HttpAnswer> {
    const scope = this.#scope(call, fences);
    try {
      return await this.#attempts(call, scope);
    } finally {
      scope.close();
    }
  }

  /** Resolves once a 2xx body begins to flow into the sink; aborting the call's signal is the way to end it early. */
  async open(call: Call, sink: ChunkSink): Promise<void> {
    const scope = this.#scope(call, []);
    try {
      await this.#attempts(call, scope, closing(sink, scope));
      scope.lift();
    } catch (error) {
      scope.close();
      throw error;
    }
  }

  #scope(call: Call, fences: readonly Fence[]): CallScope {
    const { clock, timeoutMs } = this.#parts;
    return new CallScope(clock, { signal: call.signal, fences, timeoutMs: call.timeoutMs ?? timeoutMs });
  }

  async #attempts(call: Call, scope: CallScope, sink?: ChunkSink): Promise<HttpAnswer> {
    let renewed = false;
    for (let number = 1; ; number++) {
      const outcome = await this.#attempt(call, scope, sink);
      if ('status' in outcome) return outcome;
      if (!renewed && outcome.refused !== undefined && (await this.#parts.connection.renew(outcome.refused))) {
        renewed = true;
        number -= 1;
        continue;
      }
      await this.#beforeRetry(call, scope, outcome, number);
    }
  }

  async #attempt(call: Call, scope: CallScope, sink?: ChunkSink): Promise<HttpAnswer | Failed> {
    let channel: Channel | undefined;
    const facts = this.#facts(call);
    try {
      await this.#waitForTurn(facts, scope);
      channel = await this.#parts.connection.current();
      const answer = await this.#exchange({ call, facts, channel, scope, sink });
      if (answer.status < 300) return answer;
      const error = refusal(call.title, answer);
      return { error, sent: true, refused: answer.status === 401 ? channel : undefined };
    } catch (error) {
      const sent = error instanceof NoAnswer && error.sent;
      return { error: unanswered(call.title, error), sent, refused: isDistrust(error) ? channel : undefined };
    }
  }

  async #waitForTurn(facts: RequestFacts, scope: CallScope): Promise<void> {
    const { limiter, observer } = this.#parts;
    scope.signal.throwIfAborted();
    if (limiter === undefined) return;
    observer.rateLimited?.({ ...facts, waitMs: await limiter.take(scope.signal) });
  }

  async #exchange({ call, facts, channel, scope, sink }: Exchange): Promise<HttpAnswer> {
    const { clock, observer } = this.#parts;
    const startedAt = clock.now();
    const requestBytes = call.body === undefined ? 0 : Buffer.byteLength(call.body);
    const report = (code: number, responseBytes: number): void => {
      const durationMs = msBetween(startedAt, clock.now());
      observer.attempt?.({ ...facts, code, durationMs, requestBytes, responseBytes });
    };
    const request = {
      origin: this.#origin,
      path: this.#prefix + call.path,
      method: call.method,
      headers: { ...channel.headers, ...call.headers },
      ...(call.body === undefined ? {} : { body: call.body }),
    };
    try {
      const answer = await send(sink === undefined ? channel.requests : channel.streams, request, scope, {
        longest: call.longestAnswer,
        sink,
      });
      report(answer.status, answer.body.length);
      return answer;
    } catch (error) {
      report(0, 0);
      throw error;
    }
  }

  async #beforeRetry(call: Call, scope: CallScope, failed: Failed, number: number): Promise<void> {
    const { clock, observer, random } = this.#parts;
    const policy = call.attempts === undefined ? this.#parts.retry : { ...this.#parts.retry, attempts: call.attempts };
    const isTooLong = failed.error.cause instanceof AnswerTooLong;
    const attempt = {
      repeat: isTooLong ? ('once' as const) : call.repeat, // the next answer would be as long
      eviction: call.subresource === 'eviction',
      error: failed.error,
      sent: failed.sent,
      number,
    };
    const delayMs = retryDelay(attempt, policy, random());
    if (delayMs === undefined || later(clock.now(), delayMs) >= scope.deadline) throw failed.error;
    observer.retry?.({ ...this.#facts(call), code: failed.error.code });
    try {
      await sleep(clock, delayMs, scope.signal);
    } catch (error) {
      throw unanswered(call.title, error);
    }
  }

  #facts({ verb, method }: Call): RequestFacts {
    return { verb, method, host: this.#parts.connection.server.host };
  }
}

/** Ends the call's scope with the stream, however that ends. */
function closing(sink: ChunkSink, scope: CallScope): ChunkSink {
  return {
    start: (flow) => sink.start(flow),
    chunk: (bytes) => sink.chunk(bytes),
    end() {
      scope.close();
      sink.end();
    },
    fail(error) {
      scope.close();
      sink.fail(error);
    },
  };
}

/** The server's certificate did not fit the CA we hold: the CA may have been rotated. */
function isDistrust(error: unknown): boolean {
  const cause = error instanceof NoAnswer ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  return /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|^ERR_TLS|^ERR_SSL/.test(code);
}
