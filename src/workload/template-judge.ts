// Has pod templates judged by dry run, and for a moment remembers which ones were sound. One admission asks twice: the
// defaulter about what people wrote, then the validator about what came back, filled in. The server has applied its rules
// to exactly that in the first dry run, so a second one would say nothing new.
//
// Guarantees: only what the server itself returned counts as sound, in that namespace alone, and not for long, because
// quotas and policies change. A refusal or a failure is never remembered: the next try asks again.

import { createHash } from 'node:crypto';
import type { Client } from '../runtime/client/client.ts';
import { type Clock, monotonicClock } from '../runtime/clock.ts';
import { ExpiringCache } from '../runtime/server/expiring-cache.ts';
import type { FieldError } from '../runtime/webhook/field-error.ts';
import { canonicalJson } from './canonical.ts';
import { dryRunTemplate, type TemplateVerdict } from './template-dry-run.ts';
import type { PodTemplate } from './template-schema.ts';

/** The validator asks right after the defaulter; in between are the schema and other people's webhooks. */
const REMEMBERED_MS = 5_000;
/** Many more than there are admissions under way at once. One that is forgotten costs a dry run. */
const REMEMBERED = 1_024;

export class TemplateJudge {
  readonly #client: Client;
  /** By hash, so that large templates take no more room than small ones. */
  readonly #sound: ExpiringCache<true>;

  constructor(client: Client, clock: Clock = monotonicClock) {
    this.#client = client;
    this.#sound = new ExpiringCache(clock, REMEMBERED);
  }

  /** Has the API server default and judge a template. Throws when it cannot be asked. */
  async judge(namespace: string, template: PodTemplate, signal?: AbortSignal): Promise<TemplateVerdict> {
    const verdict = await dryRunTemplate(this.#client, namespace, template, signal);
    if ('template' in verdict) this.#sound.set(keyOf(namespace, verdict.template), true, REMEMBERED_MS);
    return verdict;
  }

  /** What the API server finds wrong with a template; not asked about one that it has just returned as sound. */
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
