// What the caller may do, as the API server answers it (SelfSubjectAccessReview): asked once for each namespace that a
// tab shows, and again after a minute, because rights change. What is not known yet counts as allowed: the API server has the last word.

import type { Client } from '../../../runtime/client/client.ts';
import { type Clock, monotonicClock } from '../../../runtime/clock.ts';
import { type Instant, msBetween } from '../../../runtime/instant.ts';
import type { KubeObject, Manifest } from '../../../runtime/object.ts';
import type { Resource } from '../../../runtime/resource.ts';

interface AccessReview extends KubeObject {
  readonly spec: { readonly resourceAttributes: object };
  readonly status?: { readonly allowed: boolean; readonly reason?: string };
}

const accessReviews: Resource<AccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

const GROUP = 'kubebuilder.zq.com';

const QUESTIONS = {
  edit: { verb: 'update', group: GROUP, resource: 'mydeployments' },
  scale: { verb: 'patch', group: GROUP, resource: 'mydeployments', subresource: 'scale' },
  decide: { verb: 'patch', group: GROUP, resource: 'rolloutpolicies' },
  logs: { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
} as const;
export type Right = keyof typeof QUESTIONS;

const FRESH_MS = 60_000;

interface Answers {
  askedAt: Instant;
  /** Why a right is missing. */
  readonly refusals: Map<Right, string>;
}

export class Rights {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #answers = new Map<string, Answers>();

  constructor(client: Client, onChange: () => void, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Why the caller may not do this; undefined when it may, or when that is not known yet. */
  refusal(right: Right, namespace: string): string | undefined {
    const known = this.#answers.get(namespace);
    const now = this.#clock.now();
    if (known === undefined || msBetween(known.askedAt, now) > FRESH_MS) this.#ask(namespace, now);
    return known?.refusals.get(right);
  }

  #ask(namespace: string, now: Instant): void {
    const answers = this.#answers.get(namespace) ?? { askedAt: now, refusals: new Map() };
    answers.askedAt = now;
    this.#answers.set(namespace, answers);
    for (const right of Object.keys(QUESTIONS) as Right[]) void this.#askOne(right, namespace, answers);
  }

  async #askOne(right: Right, namespace: string, { refusals }: Answers): Promise<void> {
    const attributes = QUESTIONS[right];
    const spec = { resourceAttributes: { ...attributes, namespace } };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
    try {
      const { status } = await this.#client.create(accessReviews, review as Manifest<AccessReview>);
      if (status?.allowed === false) refusals.set(right, refusalOf(right, namespace, status.reason));
      else refusals.delete(right);
      this.#onChange();
    } catch {
      // The cluster is away, or does not answer such questions: the action itself is going to be refused.
    }
  }
}

function refusalOf(right: Right, namespace: string, reason: string | undefined): string {
  const { verb, resource, ...rest } = QUESTIONS[right];
  const what = 'subresource' in rest ? `${resource}/${rest.subresource}` : resource;
  return `You may not ${verb} ${what} in namespace "${namespace}"${reason ? ` (${reason})` : ''}.`;
}
