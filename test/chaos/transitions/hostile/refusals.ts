// Long refusals: Pod Security names every container of a pod in its answer, four times over, so one refused pod of 2,500
// containers is an error of 670 kB, and a MyDeployment is refused one pod after the other. The operator has to live on
// within its limit, to log no more than a person could read, and to say in the condition why there are no pods.

import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../../../src/runtime/client/client.ts';
import type { Resource } from '../../../../src/runtime/resource.ts';
import { eventually } from '../../../support/eventually.ts';
import { freshNamespace, manifestOf, ours, type Workload } from '../kinds.ts';
import { isOver, type Part, type Tally, type TransitionStage } from '../part.ts';
import { judgeStrain, type Strain, strainOf } from './memory.ts';

export interface Refusals {
  readonly objects: number;
  /** How long the operator goes on being refused, in milliseconds. */
  readonly forMs: number;
}

export interface RefusalsReport extends Strain {
  readonly logBytes: number;
  /** The longest message of a condition, in characters. */
  readonly longestMessage: number;
}

const CONTAINERS = 2_500;

/** As long as names of containers can be. */
const nameOf = (index: number): string => `container-${index}-`.padEnd(62, 'x').concat('0');

const SPEC = {
  replicas: 10,
  selector: { matchLabels: { app: 'refused' } },
  template: {
    metadata: { labels: { app: 'refused' } },
    spec: { containers: Array.from({ length: CONTAINERS }, (_, index) => ({ name: nameOf(index), image: 'web:v1' })) },
  },
};

const namespaces: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** Whole refusals of forty objects took 894 MiB of memory and were 1,304 MB of log in twenty seconds; cut, they are 3 MB. */
const MOST_LOG_BYTES = 20_000_000;
const LONGEST_MESSAGE = 1_024;

/** Has pods refused at length, and holds the operator to its bounds meanwhile. */
export async function refuse(stage: TransitionStage, size: Refusals, part: Part, tally: Tally): Promise<void> {
  if (isOver(part)) return;
  tally.transitions += size.objects;
  const report = await measureRefusals(stage, size);
  const { logBytes, longestMessage } = report;
  judgeStrain('long refusals', report, part, tally);
  if (logBytes > MOST_LOG_BYTES) part.onViolation(`long refusals: the operator logged ${logBytes} bytes`);
  if (longestMessage > LONGEST_MESSAGE) part.onViolation(`long refusals: a condition has ${longestMessage} characters`);
}

/** Creates the objects and looks on while their pods are refused. */
export async function measureRefusals(
  { cluster: { client }, operator }: TransitionStage,
  { objects, forMs }: Refusals,
): Promise<RefusalsReport> {
  const namespace = await restrictedNamespace(client);
  const logged = async (): Promise<number> => (await stat(operator.process.logFile)).size;
  const before = await logged();
  const names = Array.from({ length: objects }, (_, index) => `refused-${index}`);
  const strain = await strainOf(operator, async () => {
    for (const name of names) await client.create(ours, manifestOf<Workload>(namespace, name, SPEC));
    await delay(forMs);
  });
  const logBytes = (await logged()) - before;
  const messages = await Promise.all(names.map((name) => failureOf(client, namespace, name)));
  await client.deleteCollection(ours, { namespace });
  return { ...strain, logBytes, longestMessage: Math.max(...messages.map(({ length }) => length)) };
}

async function restrictedNamespace(client: Client): Promise<string> {
  const name = await freshNamespace(client);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await client.patch(namespaces, { name }, { type: 'merge', body: { metadata: { labels } } });
  return name;
}

/** The message of the condition; throws while there is none. */
function failureOf(client: Client, namespace: string, name: string): Promise<string> {
  return eventually(async () => {
    const { status } = await client.get(ours, { namespace, name });
    const failure = status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    if (!failure?.message?.includes('violates PodSecurity')) throw new Error(`${name}: ${JSON.stringify(failure)}`);
    return failure.message;
  });
}
