// Templates that are short as they are sent and long with their defaults: containers with probes come back from the API
// server's dry run at nine times their length. The operator reads such an answer only up to a bound. Beyond it the object
// is refused with the field and the reason, and the operator stays within its memory.

import { isApiError } from '../../../../src/runtime/errors.ts';
import { freshNamespace, manifestOf, ours, type Workload } from '../kinds.ts';
import { isOver, type Part, type Tally, type TransitionStage, wordsOf } from '../part.ts';
import { judgeStrain, type Strain, strainOf } from './memory.ts';

export interface Swelling extends Strain {
  /** How the API server answered each of them in the end. */
  readonly answers: readonly string[];
}

/**
 * 1.0 MB as they are sent. The API server adds managedFields before it asks the webhook, whose reviews may have 3 MiB; the
 * answer to the dry run has 9.0 MB.
 */
const CONTAINERS = 7_000;
/** Without a bound on the answer, these took 429 MiB. */
const AT_ONCE = 4;
const REFUSAL = 'spec.template: Too long: has too many parts to be stored with their defaults';

const labels = { app: 'swelling' };
const probe = { httpGet: { port: 1 } };
const probes = { livenessProbe: probe, readinessProbe: probe, startupProbe: probe };
const SPEC = {
  selector: { matchLabels: labels },
  template: {
    metadata: { labels },
    spec: {
      containers: Array.from({ length: CONTAINERS }, (_, index) => ({ name: `c${index}`, image: 'w', ...probes })),
    },
  },
};

/** Offers such objects, and holds the operator to its bounds meanwhile. */
export async function swell(stage: TransitionStage, part: Part, tally: Tally): Promise<void> {
  if (isOver(part)) return;
  tally.transitions += AT_ONCE;
  const report = await measureSwelling(stage);
  for (const answer of report.answers)
    if (!answer.includes(REFUSAL)) part.onViolation(`a template that swells: ${answer.slice(0, 300)}`);
  judgeStrain('templates that swell', report, part, tally);
}

/** Offers them all at once, without storing any. */
export async function measureSwelling({ cluster: { client }, operator }: TransitionStage): Promise<Swelling> {
  const namespace = await freshNamespace(client);
  const offer = (name: string): Promise<string> =>
    client.create(ours, manifestOf<Workload>(namespace, name, SPEC), { dryRun: true }).then(
      () => 'taken',
      (error: unknown) => (isApiError(error) ? (error.status?.message ?? error.message) : wordsOf(error)),
    );
  const answers: string[] = [];
  const strain = await strainOf(operator, async () => {
    const names = Array.from({ length: AT_ONCE }, (_, index) => `swelling-${index}`);
    const together = await Promise.all(names.map(offer));
    // Large reviews take turns, so on a busy machine the API server may give the last one up; by itself it has to be answered.
    for (const [index, answer] of together.entries())
      answers.push(answer.includes(REFUSAL) ? answer : await offer(names[index] as string));
  });
  return { ...strain, answers };
}
