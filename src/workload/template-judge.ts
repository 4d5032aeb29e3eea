// Has pod templates validated by dry run, and remembers for a short time which ones were valid. One admission asks
// twice: the defaulter about what the user wrote, then the validator about the result with its defaults. The API server
// validated exactly that result in the first dry run, so a second one is not needed.
//
// Guarantees: only templates that the API server itself returned count as valid, in that namespace alone, and for a
// short time, because quotas and policies change. Refusals and failures are never remembered.

import { createHash } from 'node:crypto';
import type { Client } from '../runtime/client/client.ts';
import { type Clock, monotonicClock } from '../runtime/clock.ts';
import { ExpiringCache } from '../runtime/server/expiring-cache.ts';
import type { FieldError } from '../runtime/webhook/field-error.ts';
import { canonicalJson } from './canonical.ts';
import { dryRunTemplate, type TemplateVerdict } from './template-dry-run.ts';
import type { PodTemplate } from './template-schema.ts';

/** The validator asks right after the defaulter; the schema and other webhooks run in between. */
const REMEMBERED_MS = 5_000;
/** Many more than there are concurrent admissions. A forgotten template costs one dry run. */
const REMEMBERED = 1_024;

export class TemplateJudge {
  readonly #client: Client;
  /** By hash, so that large templates take no more memory than small ones. */
  readonly #sound: ExpiringCache<true>;

  constructor(client: Client, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#sound = new ExpiringCache(clock, REMEMBERED);
  }

  /** Has the API server default and validate a template. Throws when the request fails. */
  async judge(namespace: string, template: PodTemplate, signal?: AbortSignal): Promise<TemplateVerdict> {
    const verdict = await dryRunTemplate(this.#client, namespace, template, signal);
    if ('template' in verdict) this.#sound.set(keyOf(namespace, verdict.template), true, REMEMBERED_MS);
    return verdict;
  }

  /**
   * The errors that the API server finds in a template; does not ask about a template that it has just returned as
   * valid.
   */
  async errorsIn(namespace: string, template: PodTemplate, signal?: AbortSignal): Promise<readonly FieldError[]> {
    if (this.#sound.get(keyOf(namespace, template))) return [];
    const verdict = await this.judge(namespace, template, signal);
    return 'errors' in verdict ? verdict.errors : [];
  }
}

/** Canonical, because an object comes back from the API server with its keys in another order. */
function keyOf(namespace: string, template: PodTemplate): string {
  const text = `${namespace}/${canonicalJson(template)}`;
  return createHash('sha256').update(text).digest('base64');
}
