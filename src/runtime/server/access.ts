// Asks the API server who a request comes from (TokenReview) and whether that user may get this path
// (SubjectAccessReview with a nonResourceURL), as kube-rbac-proxy and controller-runtime's metrics filter do. So scraping
// metrics is granted by RBAC like everything else. Answers are remembered for as long as controller-runtime does.

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

export type Verdict = 'allowed' | 'unauthenticated' | 'forbidden';

const AUTHENTICATED_MS = 60_000;
const ALLOWED_MS = 5 * 60_000;
const DENIED_MS = 30_000;
/** Entries a cache: scrapers are few, and who tries out tokens must not fill our memory. */
const REMEMBERED = 256;

export class AccessReviewer {
  readonly #client: Pick<Client, 'create'>;
  /** By the token's hash, so that a heap dump shows none. */
  readonly #users: ExpiringCache<User | 'unknown'>;
  readonly #verdicts: ExpiringCache<'allowed' | 'forbidden'>;

  constructor(client: Pick<Client, 'create'>, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#users = new ExpiringCache(clock, REMEMBERED);
    this.#verdicts = new ExpiringCache(clock, REMEMBERED);
  }

  /** Judges a GET of `path` by its Authorization header; rejects when the API server cannot be asked. */
  async review(authorization: string | undefined, path: string): Promise<Verdict> {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return 'unauthenticated';
    const user = await this.#user(token);
    return user === 'unknown' ? 'unauthenticated' : this.#verdict(user, path);
  }

  async #user(token: string): Promise<User | 'unknown'> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.#users.get(key);
    if (known !== undefined) return known;
    const { status } = await this.#client.create(tokenReviews, { metadata: {}, spec: { token } });
    const user = status?.authenticated === true ? (status.user ?? {}) : 'unknown';
    this.#users.set(key, user, user === 'unknown' ? DENIED_MS : AUTHENTICATED_MS);
    return user;
  }

  async #verdict({ username, ...user }: User, path: string): Promise<'allowed' | 'forbidden'> {
    const spec = {
      ...user,
      ...(username === undefined ? {} : { user: username }),
      nonResourceAttributes: { path, verb: 'get' },
    };
    const key = JSON.stringify(spec);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const { status } = await this.#client.create(subjectAccessReviews, { metadata: {}, spec });
    const verdict = status?.allowed === true ? 'allowed' : 'forbidden';
    this.#verdicts.set(key, verdict, verdict === 'allowed' ? ALLOWED_MS : DENIED_MS);
    return verdict;
  }
}
