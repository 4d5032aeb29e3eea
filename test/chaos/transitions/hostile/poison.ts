// A MyDeployment with codes for terminals in every text that the API server lets anybody write: annotations, images,
// arguments, variables, messages of pods, events. What `kubectl md` prints of it must be free of them.

import { BEHAVIOUR } from '../../../../src/cluster/kwok/pod-stages.ts';
import { CHANGE_CAUSE } from '../../../../src/kinds/my-deployment/plan/record.ts';
import type { Client } from '../../../../src/runtime/client/client.ts';
import type { KubeObject, Manifest } from '../../../../src/runtime/object.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';
import { eventually } from '../../../support/eventually.ts';
import { freshNamespace, ours, type Workload } from '../kinds.ts';
import type { Part, Tally, TransitionStage } from '../part.ts';
import { shown } from '../part.ts';
import { COMMANDS, listen, withName } from './plugin.ts';

const ESC = String.fromCharCode(27);
/** Clears the screen, renames the window, goes back to the start of the line; the same in 8 bits. */
const POISON = 'x\u001b[2J\u001b]0;gone\u0007\r\b\u009b2Jx';

const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const events: Resource = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
const LABELS = { app: 'poisoned' };

/** Poisons a MyDeployment and listens to every command about it, in a pipe and on a terminal. */
export async function drink({ cluster }: TransitionStage, part: Part, tally: Tally): Promise<void> {
  const { client, kubeconfig } = cluster;
  const namespace = await freshNamespace(client);
  await brew(client, namespace);
  const printing = COMMANDS.map((command) => withName(command, command[0] === 'migrate' ? 'md/web' : 'web'));
  const more = [['get'], ['rollout', 'history', 'web', '--revision=1'], ['__complete', 'get', '']];
  const formatted = printing
    .filter(([word, verb]) => ['get', 'set'].includes(word as string) || verb !== 'status')
    .flatMap((argv) => ['json', 'yaml'].map((format) => [...argv, '-o', format]))
    .filter(([word, verb]) => word !== 'why' && word !== 'migrate' && verb !== 'diff');
  for (const argv of [...printing, ...more, ...formatted]) {
    for (const isTerminal of [false, true]) {
      tally.transitions += 1;
      const { out, err } = await listen([...argv, '-n', namespace], kubeconfig, isTerminal);
      const found = codesIn(`${out}${err}`, argv.includes('-o'));
      if (found !== undefined)
        part.onViolation(`kubectl md ${argv.join(' ')} prints ${shown(found)} out of the cluster`);
    }
  }
}

/** Colours, and a line that is written over. */
const OWN_CODES = new RegExp(`${ESC}\\[\\d+m|\\r${ESC}\\[K`, 'g');
/** All but blanks, line breaks and what can be seen. */
const CODE = String.raw`[^\u0020-\u007e\u00a0-\uffff\t\n]`;
/** In JSON and YAML, which are to be exact, also what only old terminals take for a code. */
const CODE_IN_OBJECT = String.raw`[^\u0020-\uffff\t\n]`;

/** What a terminal would act upon, other than our own codes, with the text around it. */
export function codesIn(text: string, isObject: boolean): string | undefined {
  const code = isObject ? CODE_IN_OBJECT : CODE;
  return new RegExp(`.{0,40}${code}.{0,20}`).exec(text.replace(OWN_CODES, ''))?.[0];
}

async function brew(client: Client, namespace: string): Promise<void> {
  const manifest = {
    metadata: { namespace, name: 'web', annotations: { [CHANGE_CAUSE]: POISON } },
    spec: specOf('one'),
  };
  await client.create(ours, manifest as unknown as Manifest<Workload>);
  await eventually(() => observed(client, namespace));
  const body = { metadata: { annotations: { [CHANGE_CAUSE]: `${POISON} again` } }, spec: specOf('two') };
  await client.patch(ours, { namespace, name: 'web' }, { type: 'merge', body });
  const made = await eventually(async () => {
    await observed(client, namespace);
    const { items } = await client.list(pods, { namespace });
    if (items.length === 0) throw new Error('no pods yet');
    return items;
  });
  await Promise.all(made.map((pod) => poison(client, namespace, pod)));
}

/** No stage of the cluster's nodes is for pods that behave like this: their status is ours to write. */
function specOf(text: string): object {
  const container = {
    name: 'web',
    image: `web:${POISON}`,
    args: [text, POISON, `${POISON}\nline`],
    env: [{ name: 'TEXT', value: POISON }],
  };
  return {
    replicas: 1,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS, annotations: { [BEHAVIOUR]: 'as-it-is-told', note: POISON } },
      spec: { containers: [container] },
    },
  };
}

async function observed(client: Client, namespace: string): Promise<void> {
  const { metadata, status } = await client.get(ours, { namespace, name: 'web' });
  if (status?.observedGeneration !== metadata.generation) throw new Error('not looked at yet');
}

async function poison(client: Client, namespace: string, pod: KubeObject): Promise<void> {
  const { name, uid } = pod.metadata;
  const waiting = { waiting: { reason: POISON, message: POISON } };
  const container = { name: 'web', image: POISON, imageID: POISON, ready: false, restartCount: 3, state: waiting };
  const condition = { type: 'Ready', status: 'False', reason: 'Poisoned', message: POISON };
  const status = { phase: 'Running', reason: POISON, message: POISON, conditions: [condition] };
  const body = { status: { ...status, containerStatuses: [container] } };
  await client.patch(pods, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
  for (const reason of ['FailedMount', 'Unhealthy', 'Failed', 'BackOff', 'FailedScheduling']) {
    const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
    const event = { metadata: { namespace, generateName: 'poison-' }, involvedObject, reason, message: POISON };
    await client.create(events, { ...event, type: 'Warning' } as Manifest<KubeObject>);
  }
}
