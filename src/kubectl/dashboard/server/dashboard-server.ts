// Answers the page: its files, the stream of a view, and what a person asks for. Every answer is judged at the gate first (guard.ts).

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../../runtime/errors.ts';
import { failureLine } from '../../failure.ts';
import type { PageFiles } from '../page-files.ts';
import type { Problem } from '../protocol.ts';
import { collectingJson } from './body.ts';
import { type Gate, judge } from './guard.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** Answers one request of the page. */
export type Answer = (query: URLSearchParams, exchange: Exchange) => Promise<void> | void;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the tab no longer waits. */
  readonly signal: AbortSignal;
}

export interface Answers {
  /** By the name at the end of the address. */
  readonly reads: Readonly<Record<string, Answer>>;
  readonly writes: Readonly<Record<string, (body: unknown, signal: AbortSignal) => Promise<object>>>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** How long the address that a browser is started with leads to the page. */
const TICKET_MS = 60_000;

export class DashboardServer {
  readonly #secret = randomBytes(24).toString('base64url');
  readonly #files: PageFiles;
  readonly #answers: Answers;
  readonly #server: string;
  /** Those that are not finished, such as streams. */
  readonly #open = new Set<ServerResponse>();
  #ticket: { readonly text: string; readonly until: number } | undefined;
  #port = 0;

  constructor(files: PageFiles, answers: Answers, server: string) {
    this.#files = files;
    this.#answers = answers;
    this.#server = server;
  }

  /** The address of the page once the port is known. It is as good as the kubeconfig: it must not be shared. */
  address(port: number): string {
    this.#port = port;
    return `http://127.0.0.1:${port}/${this.#secret}/`;
  }

  /**
   * An address that leads to the page once, and not for long. It becomes an argument of a browser, which every user of the machine
   * can see.
   */
  ticket(now: number): string {
    this.#ticket = { text: randomBytes(24).toString('base64url'), until: now + TICKET_MS };
    return `http://127.0.0.1:${this.#port}/open/${this.#ticket.text}`;
  }

  /** Answers a request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, now: number): Promise<void> {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    if (this.#redeem(request, response, now)) return;
    const gate: Gate = { port: this.#port, secret: this.#secret };
    const verdict = judge(request, gate);
    if (verdict.is === 'refused') {
      sendProblem(response, verdict.status, verdict.because);
      return;
    }
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    try {
      const url = new URL(verdict.path, 'http://page');
      await this.#answer(url, { request, response, signal: closed.signal }, verdict.isRead);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendProblem(response, statusOf(error), failureLine(error, this.#server));
    }
  }

  /** Ends every answer that is on its way. */
  close(): void {
    for (const response of this.#open) response.destroy();
  }

  async #answer({ pathname, searchParams }: URL, exchange: Exchange, isRead: boolean): Promise<void> {
    const name = pathname.slice(1) || 'index.html';
    const { request, response, signal } = exchange;
    const file = named(this.#files, name);
    const read = named(this.#answers.reads, name);
    const write = named(this.#answers.writes, name);
    if (isRead && file !== undefined) send(response, 200, file, TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    else if (isRead && read !== undefined) await read(searchParams, exchange);
    else if (!isRead && write !== undefined) sendJson(response, await write(await collectingJson(request), signal));
    else sendProblem(response, 404, `there is no ${pathname}`);
  }

  /** Exchanges the ticket for the address of the page. */
  #redeem({ url = '', method }: IncomingMessage, response: ServerResponse, now: number): boolean {
    const ticket = this.#ticket;
    if (ticket === undefined || method !== 'GET' || url !== `/open/${ticket.text}`) return false;
    this.#ticket = undefined;
    if (now > ticket.until) return false;
    response.writeHead(303, { location: `/${this.#secret}/` });
    response.end();
    return true;
  }
}

/** The API server's own answer where there is one. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code >= 400 ? error.code : 502;
  return 400;
}

/** The entry of this name; what every object inherits, such as `constructor`, is none. */
function named<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

export function sendJson(response: ServerResponse, value: object): void {
  send(response, 200, JSON.stringify(value), 'application/json');
}

export function sendText(response: ServerResponse, text: string): void {
  send(response, 200, text, 'text/plain; charset=utf-8');
}

function sendProblem(response: ServerResponse, status: number, problem: string): void {
  send(response, status, JSON.stringify({ problem } satisfies Problem), 'application/json');
}

function send(response: ServerResponse, status: number, body: string, type: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
