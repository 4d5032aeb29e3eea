// Sends the queries of gates to the Prometheus servers that the operator's flags name.
//
// Guarantees: each server has sockets of its own, so one that hangs delays no other, and nothing else; a query takes at most
// 10 seconds once it is its turn, and its answer at most 1 MiB; redirects are not followed; nothing is thrown.

import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import { NoAnswer, send } from '../../../runtime/client/send.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { AnswerTooLong } from '../../../runtime/errors.ts';
import type { Logger } from '../../../runtime/log.ts';
import { Turns } from '../../../runtime/webhook/turns.ts';
import type { Outcome } from '../gates/judge.ts';
import { readAnswer } from './answer.ts';
import { type PrometheusServer, unknownServer } from './flag.ts';

export interface PrometheusOptions {
  readonly servers: ReadonlyMap<string, PrometheusServer>;
  readonly clock: Clock;
  readonly log: Logger;
}

const TIMEOUT_MS = 10_000;
const LONGEST_ANSWER = 1024 * 1024;
/** Names of pods make a query long, each time that it asks for them. */
const LONGEST_QUERY = 256 * 1024;
/** Queries at the same time, for each server. */
const AT_ONCE = 8;

export class PrometheusClient {
  readonly #servers: ReadonlyMap<string, Server>;

  constructor({ servers, clock, log }: PrometheusOptions) {
    this.#servers = new Map([...servers].map(([name, server]) => [name, new Server(server, clock, log)]));
  }

  /** The outcome of the query at this server; rejects only when the signal aborts. */
  async query(name: string, query: string, signal: AbortSignal): Promise<Outcome> {
    const server = this.#servers.get(name);
    if (query.length > LONGEST_QUERY) {
      return {
        is: 'blocked',
        message: 'the query with the names of pods is longer than 256 KiB: use {{pods}} less often',
      };
    }
    if (server !== undefined) return server.query(query, signal);
    return { is: 'blocked', message: unknownServer(name, [...this.#servers.keys()]) };
  }
}

class Server {
  readonly #server: PrometheusServer;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #turns = new Turns(AT_ONCE);
  #sockets: { readonly ca: string | undefined; readonly agent: Agent } | undefined;

  constructor(server: PrometheusServer, clock: Clock, log: Logger) {
    this.#server = server;
    this.#clock = clock;
    this.#log = log.with({ prometheus: server.name });
  }

  async query(query: string, signal: AbortSignal): Promise<Outcome> {
    const endTurn = await this.#turns.take(signal);
    const over = new AbortController();
    const giveUp = (): void => over.abort(signal.reason);
    const timer = this.#clock.after(TIMEOUT_MS, () => over.abort(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    signal.addEventListener('abort', giveUp);
    try {
      return await this.#ask(query, over.signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#log.debug('a query failed', { error });
      return { is: 'error', message: this.#wordsFor(error, over.signal) };
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', giveUp);
      endTurn();
    }
  }

  async #ask(query: string, signal: AbortSignal): Promise<Outcome> {
    const { url } = this.#server;
    const { origin, pathname } = new URL(`${url}/api/v1/query`);
    const request = {
      origin,
      path: pathname,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(await this.#token()),
      },
      body: new URLSearchParams({ query, timeout: `${TIMEOUT_MS / 1000}s` }).toString(),
    };
    const agent = await this.#agent();
    const { status, body } = await send(agent, request, { signal, gate: () => {} }, { longest: LONGEST_ANSWER });
    return readAnswer(status, body.toString('utf8'));
  }

  async #token(): Promise<{ readonly authorization?: string }> {
    const { tokenFile } = this.#server;
    return tokenFile === undefined ? {} : { authorization: `Bearer ${(await readSecret(tokenFile)).trim()}` };
  }

  /** New sockets when the file with the CA has another content. */
  async #agent(): Promise<Agent> {
    const { caFile } = this.#server;
    const ca = caFile === undefined ? undefined : await readSecret(caFile);
    if (this.#sockets !== undefined && this.#sockets.ca === ca) return this.#sockets.agent;
    const old = this.#sockets?.agent;
    const agent = new Agent({
      connections: AT_ONCE,
      connect: { timeout: TIMEOUT_MS, ...(ca !== undefined && { ca }) },
    });
    this.#sockets = { ca, agent };
    void old?.close().catch((error: unknown) => this.#log.warn('cannot close old sockets', { error }));
    return agent;
  }

  /** For people who write policies: without addresses and files of the operator. */
  #wordsFor(error: unknown, signal: AbortSignal): string {
    const { name } = this.#server;
    const cause = error instanceof NoAnswer ? error.cause : error;
    if (signal.aborted) return `server "${name}" gave ${(signal.reason as Error).message}`;
    if (cause instanceof AnswerTooLong) return `the answer of server "${name}" is longer than 1 MiB`;
    if (cause instanceof Unreadable) return `the operator cannot read its credentials for server "${name}"`;
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    return `server "${name}" cannot be reached${code ? ` (${code})` : ''}`;
  }
}

class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

async function readSecret(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Unreadable(`cannot read ${file}`, { cause });
  }
}
