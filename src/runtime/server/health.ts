// The health endpoints for the kubelet and for users: `/healthz` and `/readyz` with named checks, each also on its own
// path, in the text format of Kubernetes' components: `?verbose` lists them, `?exclude=name` leaves one out.
//
// The lists do not say why a check failed, because every client may read them. The check's own path says it, and so
// does the log: once when the check begins to fail and once when it recovers, because probes come every few seconds.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, silentLogger } from '../log.ts';
import { isRead, sendText, urlOf } from './http.ts';

/** Throws, or rejects, when something is wrong; the message says what. */
export type Check = () => void | Promise<void>;

type Checks = Map<string, Check>;

interface Answer {
  readonly status: number;
  readonly text: string;
}

const PING: readonly [string, Check] = ['ping', () => {}];

/** The checks behind `/healthz` and `/readyz`. */
export class Health {
  readonly #log: Logger;
  readonly #endpoints: Readonly<Record<string, Checks>> = {
    healthz: new Map([PING]),
    readyz: new Map([PING]),
  };

  /** Which checks failed when last asked, as `endpoint/name`. */
  readonly #failing = new Set<string>();

  constructor(log: Logger = silentLogger) {
    this.#log = log;
  }

  /** Adds to `/healthz`: when this fails for long, the process should be restarted. */
  addLivenessCheck(name: string, check: Check): void {
    this.#endpoints.healthz?.set(name, check);
  }

  /** Adds to `/readyz`: while this fails, the process should get no requests. */
  addReadinessCheck(name: string, check: Check): void {
    this.#endpoints.readyz?.set(name, check);
  }

  readonly handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, text } = await this.#answer(request);
    sendText(response, status, text);
  };

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = urlOf(request);
    const [, endpoint = '', name, ...more] = pathname.replace(/\/$/, '').split('/');
    const checks = Object.hasOwn(this.#endpoints, endpoint) ? this.#endpoints[endpoint] : undefined;
    if (checks === undefined || more.length > 0) return { status: 404, text: '404 page not found\n' };
    if (!isRead(request)) return { status: 405, text: 'method not allowed\n' };
    if (name === undefined) return this.#all(endpoint, checks, searchParams);
    const check = checks.get(name);
    return check === undefined ? { status: 404, text: '404 page not found\n' } : this.#one(check);
  }

  async #one(check: Check): Promise<Answer> {
    const failure = await outcome(check);
    if (failure === undefined) return { status: 200, text: 'ok' };
    return { status: 500, text: `internal server error: ${failure.message}\n` };
  }

  async #all(endpoint: string, checks: Checks, query: URLSearchParams): Promise<Answer> {
    const excluded = new Set(query.getAll('exclude'));
    const results = await Promise.all(
      [...checks].map(async ([name, check]) => {
        if (excluded.has(name)) return { line: `[+]${name} excluded: ok\n` };
        const failure = await outcome(check);
        this.#note(`${endpoint}/${name}`, failure);
        if (failure === undefined) return { line: `[+]${name} ok\n` };
        return { line: `[-]${name} failed: reason withheld\n`, failure };
      }),
    );
    const lines = results.map(({ line }) => line).join('');
    if (results.some(({ failure }) => failure !== undefined)) {
      return { status: 500, text: `${lines}${endpoint} check failed\n` };
    }
    return { status: 200, text: query.has('verbose') ? `${lines}${endpoint} check passed\n` : 'ok' };
  }

  #note(check: string, failure: Error | undefined): void {
    if (failure === undefined) {
      if (this.#failing.delete(check)) this.#log.info('health check passes again', { check });
    } else if (!this.#failing.has(check)) {
      this.#failing.add(check);
      this.#log.warn('health check failed', { check, reason: failure.message });
    }
  }
}

async function outcome(check: Check): Promise<Error | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
