// Sends a request to the operator, as an annotation of the policy, and waits for its answer.

import { formatRequest, requestsOf } from '../../policy/requests.ts';
import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import { sleep } from '../../runtime/clock.ts';
import { isApiError } from '../../runtime/errors.ts';
import type { Instant } from '../../runtime/instant.ts';
import type { Context, Reach } from '../context.ts';
import type { DryRun } from '../output.ts';
import { type Answer, answerTo } from './answer.ts';
import { type Asked, sameRequest } from './asked.ts';
import { readStanding } from './read-standing.ts';

/** The operator writes results of gates into the policy, and every write changes the resourceVersion. */
const ATTEMPTS = 20;
const LOOK_EVERY_MS = 100;

/** Writes the annotation, with the resourceVersion that was read, so that no other request is overwritten unseen. */
export async function send(
  { client, console }: Pick<Reach, 'client' | 'console'>,
  { policy, key, request }: Asked,
  dryRun: Exclude<DryRun, 'client'> = 'none',
): Promise<void> {
  const { name, namespace = '', uid } = policy.metadata;
  const options = { dryRun: dryRun === 'server', signal: console.interrupted };
  let current: RolloutPolicy = policy;
  for (let attempt = 1; ; attempt += 1) {
    if (current.metadata.uid !== uid) throw new Error(`rolloutpolicy "${name}" has been replaced by another one`);
    if (sameRequest(requestsOf(current).get(key), request)) return;
    const { resourceVersion } = current.metadata;
    const body = { metadata: { resourceVersion, annotations: { [key]: formatRequest(request) } } };
    try {
      await client.patch(rolloutPolicies, { namespace, name }, { type: 'merge', body }, options);
      return;
    } catch (error) {
      if (!isApiError(error, 'Conflict') || attempt === ATTEMPTS) throw error;
      current = await client.get(rolloutPolicies, { namespace, name }, { signal: console.interrupted });
    }
  }
}

/** The operator's answer; pending when there is none until the deadline. */
export async function awaitAnswer(
  context: Reach & Pick<Context, 'clock' | 'wallNow'>,
  asked: Asked,
  deadline: Instant,
): Promise<Answer> {
  const { clock, console, wallNow } = context;
  for (;;) {
    const answer = answerTo(asked, await readStanding(context), wallNow());
    if (answer.is !== 'pending' || clock.now() > deadline) return answer;
    await sleep(clock, LOOK_EVERY_MS, console.interrupted);
  }
}
