// Kills the real operator (kill -9) just before or just after one of its writes reaches the API server, starts another,
// and holds what follows to every promise: one run for each write of each scenario, in a namespace of its own.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { type LocalOperator, startOperator } from '../../../src/local/operator.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { eventually } from '../../support/eventually.ts';
import { watchRollouts } from '../../support/rollout-watch.ts';
import { type Scenario, Web } from './scenarios.ts';
import type { Write, WriteProxy } from './write-proxy.ts';

export interface CrashPoint {
  readonly scenario: Scenario;
  /** Counted from 1, from the moment at which the scenario begins to act. */
  readonly write: number;
  readonly moment: 'before' | 'after';
}

export interface CrashRun {
  /** False when the scenario was done before it had made so many writes. */
  readonly crashed: boolean;
  /** Promises that were broken. */
  readonly broken: readonly string[];
}

/** An operator that reaches the API server through the proxy, and is there again after each crash. */
export interface CrashStage {
  readonly cluster: Cluster;
  readonly proxy: WriteProxy;
  /** The bundle to run instead of the sources. */
  readonly program: string;
  operator: LocalOperator | undefined;
}

const namespaces: Resource = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const accounts: Resource = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

/** So long must nothing be written for everything to count as at rest. */
const QUIET_MS = 1_200;

/** Every point of a scenario in turn, until it has no more writes. */
export async function* crashPoints(
  stage: CrashStage,
  scenario: Scenario,
): AsyncGenerator<{ readonly point: CrashPoint; readonly run: CrashRun }, void, void> {
  for (const moment of ['before', 'after'] as const) {
    for (let write = 1; ; write++) {
      const point = { scenario, write, moment };
      const run = await crashAt(stage, point);
      if (!run.crashed && run.broken.length === 0) break;
      yield { point, run };
    }
  }
}

/** Runs a scenario with a crash at this point, and judges it. */
export async function crashAt(stage: CrashStage, { scenario, write, moment }: CrashPoint): Promise<CrashRun> {
  const { cluster, proxy } = stage;
  const namespace = await freshNamespace(cluster);
  const web = new Web(cluster.client, namespace);
  const writes = countWrites(proxy, namespace);
  await ensureOperator(stage);
  const watch = await watchRollouts(cluster.client, namespace);
  let wrong: string[] = [];
  let crashed = false;
  try {
    await scenario.prepare?.(web);
    const dead = killAt(stage, namespace, { write, moment });
    await scenario.act(web);
    const atRest = (): Promise<void> => (scenario.rest ?? ((each: Web) => each.complete()))(web);
    crashed = await Promise.race([
      dead.then(() => true),
      atRest()
        .then(() => quiet(writes))
        .then(() => false),
    ]);
    countWrites(proxy, namespace, writes);
    await ensureOperator(stage);
    await atRest();
    await scenario.afterwards?.(web);
    if (scenario.afterwards) await web.complete();
    wrong = await restlessness(writes);
  } catch (error) {
    wrong = [`${scenario.name}, ${moment} write ${write}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    proxy.judge = () => 'pass';
    wrong.push(...(await watch.close('everything')));
  }
  return { crashed, broken: wrong };
}

interface Writes {
  count: number;
}

/** Counts the writes about this namespace, and lets them pass. */
function countWrites(proxy: WriteProxy, namespace: string, writes: Writes = { count: 0 }): Writes {
  proxy.judge = (write) => {
    if (isAbout(write, namespace)) writes.count += 1;
    return 'pass';
  };
  return writes;
}

/** Resolves when the operator is dead. */
function killAt(
  stage: CrashStage,
  namespace: string,
  { write: nth, moment }: Omit<CrashPoint, 'scenario'>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const kill = (): void => {
    const { operator } = stage;
    stage.operator = undefined;
    operator?.process.kill().then(resolve, reject);
  };
  const [first, last] = moment === 'before' ? ([kill, 'swallow'] as const) : ([() => {}, 'lose'] as const);
  let seen = 0;
  stage.proxy.onLost = kill;
  stage.proxy.judge = (write) => {
    if (!isAbout(write, namespace)) return 'pass';
    seen += 1;
    if (seen < nth) return 'pass';
    if (seen > nth) return 'swallow';
    first();
    return last;
  };
  return promise;
}

/** Events are told in passing: losing one loses nothing. */
function isAbout({ path }: Write, namespace: string): boolean {
  return path.includes(`/namespaces/${namespace}/`) && !path.includes('/events');
}

/** Starts an operator unless one is running. */
export async function ensureOperator(stage: CrashStage): Promise<void> {
  const { cluster, proxy, program } = stage;
  stage.operator ??= await startOperator(cluster, { webhooks: false, server: proxy.url, program });
}

async function quiet(writes: Writes): Promise<void> {
  for (let before = -1; before !== writes.count; ) {
    before = writes.count;
    await delay(QUIET_MS);
  }
}

async function restlessness(writes: Writes): Promise<string[]> {
  await quiet(writes);
  const before = writes.count;
  await delay(QUIET_MS);
  return writes.count === before ? [] : [`${writes.count - before} writes after everything was at rest`];
}

/** A namespace of its own, in which pods can be created. */
export async function freshNamespace({ client }: Cluster): Promise<string> {
  const name = `crash-${randomBytes(4).toString('hex')}`;
  await client.create(namespaces, { metadata: { name } });
  await eventually(() => client.get(accounts, { namespace: name, name: 'default' }), 30_000);
  return name;
}
