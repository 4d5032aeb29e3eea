// Asks the API server who sent a request (TokenReview) and whether that user may get this path (SubjectAccessReview
// with a nonResourceURL), as kube-rbac-proxy and controller-runtime's metrics filter do. So RBAC grants access to
// metrics. Results are cached for as long as in controller-runtime.
//
// Every client that can reach the port can send tokens, so the API server is asked about a few tokens at a time and
// about each once, and results for invalid tokens do not displace those of scrapers.

import { createHash } from 'node:crypto';
import type { Client } from '../client/client.ts';
import { type Clock, monotonicClock } from '../clock.ts';
import type { KubeObject } from '../object.ts';
import type { Resource } from '../resource.ts';
import { ExpiringCache } from './expiring-cache.ts';

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: User };
}

interface SubjectAccessReview extends KubeObject {
  readonly spec: {
    readonly user?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: User['extra'];
    readonly nonResourceAttributes: { readonly path: string; readonly verb: string };
  };
  readonly status?: { readonly allowed?: boolean };
}

const tokenReviews: Resource<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};

const subjectAccessReviews: Resource<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

/** `busy`: too many other reviews are running. */
export type Verdict = 'allowed' | 'unauthenticated' | 'forbidden' | 'busy';

const AUTHENTICATED_MS = 60_000;
const ALLOWED_MS = 5 * 60_000;
const DENIED_MS = 30_000;
/** Entries of a cache: there are few scrapers. */
const REMEMBERED = 256;
const ASKED_AT_ONCE = 8;

export class AccessReviewer {
  readonly #client: Pick<Client, 'create'>;
  /** By the token's hash, so that a heap dump shows none. */
  readonly #users: ExpiringCache<User>;
  readonly #unknown: ExpiringCache<true>;
  readonly #verdicts: ExpiringCache<'allowed' | 'forbidden'>;
  /** By the token's hash and the path. */
  readonly #asking = new Map<string, Promise<Verdict>>();

  constructor(client: Pick<Client, 'create'>, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#users = new ExpiringCache(clock, REMEMBERED);
    this.#unknown = new ExpiringCache(clock, REMEMBERED);
    this.#verdicts = new ExpiringCache(clock, REMEMBERED);
  }

  /** Reviews a GET of `path` by its Authorization header; rejects when the API server cannot be asked. */
  async review(authorization: string | undefined, path: string): Promise<Verdict> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return 'unauthenticated';
    const key = createHash('sha256').update(token).digest('base64');
    return this.#known(key, path) ?? this.#once(`${key} ${path}`, () => this.#ask(token, key, path));
  }

  #known(key: string, path: string): Verdict | undefined {
    if (this.#unknown.get(key)) return 'unauthenticated';
    const user = this.#users.get(key);
    return user && this.#verdicts.get(JSON.stringify(questionAbout(user, path)));
  }

  /** Asks, or waits for the response to the same question. */
  #once(question: string, ask: () => Promise<Verdict>): Promise<Verdict> | Verdict {
    const asked = this.#asking.get(question);
    if (asked !== undefined) return asked;
    if (this.#asking.size >= ASKED_AT_ONCE) return 'busy';
    const asking = ask().finally(() => this.#asking.delete(question));
    this.#asking.set(question, asking);
    return asking;
  }

  async #ask(token: string, key: string, path: string): Promise<Verdict> {
    const user = this.#users.get(key) ?? (await this.#user(token, key));
    return user === undefined ? 'unauthenticated' : this.#verdict(user, path);
  }

  async #user(token: string, key: string): Promise<User | undefined> {
    const { status } = await this.#client.create(tokenReviews, { metadata: {}, spec: { token } });
    const user = status?.authenticated === true ? (status.user ?? {}) : undefined;
    if (user === undefined) this.#unknown.set(key, true, DENIED_MS);
    else this.#users.set(key, user, AUTHENTICATED_MS);
    return user;
  }

  async #verdict(user: User, path: string): Promise<Verdict> {
    const spec = questionAbout(user, path);
    const key = JSON.stringify(spec);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const { status } = await this.#client.create(subjectAccessReviews, { metadata: {}, spec });
    const verdict = status?.allowed === true ? 'allowed' : 'forbidden';
    this.#verdicts.set(key, verdict, verdict === 'allowed' ? ALLOWED_MS : DENIED_MS);
    return verdict;
  }
}

/** Whether this user may get the path. */
function questionAbout({ username, ...user }: User, path: string): SubjectAccessReview['spec'] {
  return {
    ...user,
    ...(username === undefined ? {} : { user: username }),
    nonResourceAttributes: { path, verb: 'get' },
  };
}
