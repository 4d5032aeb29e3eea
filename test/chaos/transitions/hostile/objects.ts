// Objects of unusual size and text, for real: templates with many labels and annotations, of half a megabyte, with text
// of every sort in them, names as long as they can be, and objects too large to be stored.

import { ApiError, isApiError } from '../../../../src/runtime/errors.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Json, merged } from '../../../support/merge-patch.ts';
import { deployments, freshNamespace, manifestOf, ours, type Workload } from '../kinds.ts';
import { isOver, type Part, type Tally, type TransitionStage, wordsOf } from '../part.ts';
import { alike, BASE, twinsAtRest } from '../twins.ts';
import { HOSTILE_TEXT } from '../value.ts';

const many = (count: number, entry: (index: number) => string): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, entry(index)]));

const texts = HOSTILE_TEXT.filter((text) => !text.includes('\u0000'));
const container = (more: Json): Json => merged({ name: 'web', image: 'web:v1' }, more);
const templateOf = (template: Json): Json => merged(BASE, { replicas: 1, template });

/** What a Deployment takes, and a MyDeployment has to carry out alike. */
const UNUSUAL: Readonly<Record<string, Json>> = {
  'a thousand annotations': templateOf({ metadata: { annotations: many(1_000, (index) => `value ${index}`) } }),
  'as many labels as there may be': templateOf({ metadata: { labels: many(254, (index) => `value-${index}`) } }),
  'text of every sort': templateOf({
    metadata: { annotations: Object.fromEntries(texts.map((text, index) => [`text-${index}`, text])) },
    spec: {
      containers: [
        container({
          args: texts,
          command: texts,
          env: texts.map((value, index) => ({ name: `TEXT_${index}`, value })),
        }),
      ],
    },
  }),
  'half a megabyte': templateOf({
    spec: { containers: [container({ env: [{ name: 'LARGE', value: 'é'.repeat(256 * 1024) }] })] },
  }),
  'a hundred containers': templateOf({
    spec: { containers: Array.from({ length: 100 }, (_, index) => ({ name: `c${index}`, image: 'web:v1' })) },
  }),
};

/** What neither takes. */
const IMPOSSIBLE: Readonly<Record<string, Json>> = {
  '1.6 MB': templateOf({
    spec: { containers: [container({ env: [{ name: 'LARGE', value: 'x'.repeat(1_600_000) }] })] },
  }),
  '4 MB': templateOf({ spec: { containers: [container({ env: [{ name: 'LARGE', value: 'x'.repeat(4_000_000) }] })] } }),
  '300 kB of annotations': templateOf({ metadata: { annotations: { large: 'x'.repeat(300_000) } } }),
  'a spec of text': 'text',
};

const NAMES: readonly string[] = [
  '1',
  'a.b.c',
  '0-0',
  'x'.repeat(63),
  'x'.repeat(64),
  `${'x'.repeat(126)}.${'y'.repeat(126)}`,
];

/** All of these, one after the other, until the time is up. */
export async function overload({ cluster: { client } }: TransitionStage, part: Part, tally: Tally): Promise<void> {
  const act = async (title: string, play: () => Promise<unknown>): Promise<void> => {
    if (isOver(part)) return;
    tally.transitions += 1;
    await play().catch((error) => part.onViolation(`${title}: ${wordsOf(error).slice(0, 2_000)}`));
  };
  for (const [title, spec] of Object.entries(UNUSUAL)) {
    await act(title, async () => {
      const { namespace, before } = await twinsAtRest(client, await freshNamespace(client), spec);
      const after = await alike(client, namespace);
      if (after[1].generation !== before[1]?.generation) throw new Error('it went on rolling');
    });
  }
  const namespace = await freshNamespace(client);
  for (const [title, spec] of Object.entries(IMPOSSIBLE)) {
    for (const resource of [deployments, ours]) {
      await act(`${title} as a ${resource.kind}`, () => refused(() => create(resource, 'large', spec)));
    }
  }
  await act('a thousand labels', async () => {
    const spec = templateOf({ metadata: { labels: many(1_000, (index) => `value-${index}`) } });
    const { message } = await refused(() => create(ours, 'labels', spec));
    if (!message.includes('spec.template.metadata.labels')) throw new Error(`no word of the labels: ${message}`);
  });
  for (const name of NAMES) {
    await act(`the name ${name}`, async () => {
      await create(ours, name, BASE);
      await eventually(async () => {
        const { status } = await client.get(ours, { namespace, name });
        if (status?.availableReplicas !== 2) throw new Error(`not available: ${JSON.stringify(status)}`);
      });
    });
  }

  function create(resource: Resource<Workload>, name: string, spec: Json): Promise<Workload> {
    return client.create(resource, manifestOf<Workload>(namespace, name, spec), { attempts: 1 });
  }
}

/** However it is refused: too large for a request, for the store, or for a rule. */
async function refused(attempt: () => Promise<unknown>): Promise<ApiError> {
  const outcome = await attempt().catch((error: unknown) => error);
  if (!(outcome instanceof ApiError)) throw new Error('it was taken');
  if (isApiError(outcome, 'Connection', 'Timeout', 'Aborted')) throw outcome;
  return outcome;
}
