// What Helm 4 makes of a chart with a MyDeployment: `--wait` returns when a rollout is complete and not before, and fails when
// it fails. The same chart with a Deployment runs beside it and has to end the same way.

import { afterAll, expect, it } from '@jest/globals';
import { useStage } from '../e2e/stage.ts';
import { helmAt } from '../helm/helm.ts';
import { describeWithTool } from '../support/tools.ts';
import { type Values, type WorkloadKind, withValues, writeChart } from './helm-chart.ts';

const stage = await useStage({ name: 'helm-wait' });
const chart = writeChart();

const SLOW = { replicas: 3, readyAfter: '2s' } as const;
const BROKEN = { ...SLOW, behaviour: 'not-ready' } as const;

/** A canary of one pod that goes back by itself. */
const POLICY = `apiVersion: kubebuilder.zq.com/v1alpha1
kind: RolloutPolicy
metadata: {name: web}
spec:
  targetRef: {name: web}
  steps: [{replicas: 1, pause: {until: Promoted}}]
  rollback: {}
`;

/** How a run of Helm ended, and what there was at that moment. */
interface Outcome {
  readonly code: number;
  /** What Helm says about each workload that it does not find ready. */
  readonly notReady: readonly string[];
  readonly release: string;
  /** How many pods of each image are ready when Helm returns, for each kind. */
  readonly ready: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

await describeWithTool('helm', 'Helm --wait', (program) => {
  const helm = helmAt(program, stage.kubeconfig);
  /** For docs/ecosystem.md: each run of Helm, how long it took and what it came to. */
  const runs: string[] = [];
  afterAll(() => console.info(runs.sort().join('\n')));

  class Release {
    readonly #namespace: string;
    readonly #kinds: readonly WorkloadKind[];

    constructor(namespace: string, kinds: readonly WorkloadKind[]) {
      this.#namespace = namespace;
      this.#kinds = kinds;
    }

    /** Runs Helm, and looks at the pods the moment it returns. */
    async run(action: 'install' | 'upgrade', values: Omit<Values, 'kinds'>, ...flags: string[]): Promise<Outcome> {
      const args = [action, 'web', chart, '--wait', ...withValues({ kinds: this.#kinds, ...values }), ...flags];
      const startedAt = performance.now();
      const { code, stderr } = await helm(...args, '--namespace', this.#namespace);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const [ready, release] = await Promise.all([this.#ready(), this.#status()]);
      const notReady = [...stderr.matchAll(/resource (\w+)\/\S+ not ready\. status: (\w+)/g)].map(
        ([, kind, status]) => `${kind} ${status}`,
      );
      const outcome = { code, notReady: [...new Set(notReady)].sort(), release, ready };
      runs.push(`${this.#kinds.join(' and ')}: ${action} ${flags.join(' ')}: ${seconds} s, ${JSON.stringify(outcome)}`);
      return outcome;
    }

    async apply(manifest: string): Promise<void> {
      const args = ['-n', this.#namespace, 'apply', '-f', '-'];
      expect(await stage.kubectl(args, { input: manifest })).toMatchObject({ code: 0 });
    }

    async #status(): Promise<string> {
      const { stdout } = await helm('status', 'web', '--namespace', this.#namespace, '-o', 'json');
      return (JSON.parse(stdout) as { info: { status: string } }).info.status;
    }

    async #ready(): Promise<Outcome['ready']> {
      const { stdout } = await stage.kubectl(['-n', this.#namespace, 'get', 'pods', '-o', 'json']);
      const pods = (JSON.parse(stdout) as { items: readonly Pod[] }).items.filter(isReady);
      const byKind = Object.entries(Object.groupBy(pods, ({ metadata }) => metadata.labels.kind ?? ''));
      return Object.fromEntries(byKind.map(([kind, those = []]) => [kind, countImages(those)]));
    }
  }

  const release = async (kinds: readonly WorkloadKind[]): Promise<Release> =>
    new Release(await stage.namespace(), kinds);
  /** The same counts for each of the kinds. */
  const each = (kinds: readonly WorkloadKind[], counts: object): object =>
    Object.fromEntries(kinds.map((kind) => [kind, counts]));

  it.concurrent.each<{ kinds: readonly WorkloadKind[] }>([
    { kinds: ['Deployment'] },
    { kinds: ['MyDeployment'] },
    { kinds: ['Deployment', 'MyDeployment'] },
  ])('$kinds: returns when every pod is ready, fails at the deadline, and rolls back', async ({ kinds }) => {
    const web = await release(kinds);
    const good = { code: 0, notReady: [], release: 'deployed' };
    const installed = await web.run('install', { ...SLOW, image: 'web:v1' }, '--timeout=90s');
    expect(installed).toEqual({ ...good, ready: each(kinds, { 'web:v1': 3 }) });

    const upgraded = await web.run('upgrade', { ...SLOW, image: 'web:v2' }, '--timeout=90s');
    expect(upgraded).toEqual({ ...good, ready: each(kinds, { 'web:v2': 3 }) });

    const impatient = await web.run('upgrade', { ...BROKEN, image: 'web:v3' }, '--timeout=3s');
    const notReady = (status: string): string[] => kinds.map((kind) => `${kind} ${status}`);
    expect(impatient).toMatchObject({ code: 1, notReady: notReady('InProgress'), release: 'failed' });
    for (const kind of kinds) expect(impatient.ready[kind]).toEqual({ 'web:v2': expect.any(Number) });

    const deadline = { progressDeadlineSeconds: 2, image: 'web:v4' };
    const failed = await web.run('upgrade', { ...BROKEN, ...deadline }, '--timeout=90s', '--rollback-on-failure');
    expect(failed).toEqual({
      code: 1,
      notReady: notReady('Failed'),
      release: 'deployed',
      ready: each(kinds, { 'web:v2': 3 }),
    });
  });

  it.concurrent('fails when a policy rejects the revision, while the old pods serve', async () => {
    const web = await release(['MyDeployment']);
    expect(await web.run('install', { ...SLOW, image: 'web:v1' }, '--timeout=90s')).toMatchObject({ code: 0 });
    await web.apply(POLICY);
    const crashing = { ...SLOW, behaviour: 'crash', image: 'web:v2' } as const;
    const rejected = await web.run('upgrade', crashing, '--timeout=90s');
    expect(rejected).toMatchObject({ code: 1, notReady: ['MyDeployment Failed'], release: 'failed' });
    expect(rejected.ready).toEqual({ MyDeployment: { 'web:v1': expect.any(Number) } });
  });

  it.concurrent.each<{ kind: WorkloadKind; expected: Partial<Outcome> }>([
    { kind: 'Deployment', expected: { code: 0, notReady: [], release: 'deployed' } },
    { kind: 'MyDeployment', expected: { code: 1, notReady: ['MyDeployment InProgress'], release: 'failed' } },
  ])('waits for a paused $kind only where it does not know the kind', async ({ kind, expected }) => {
    const web = await release([kind]);
    const values = { ...SLOW, image: 'web:v1', paused: true };
    expect(await web.run('install', values, '--timeout=2s')).toMatchObject(expected);
  });
});

interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady({ metadata, status }: Pod): boolean {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}

function countImages(pods: readonly Pod[]): Readonly<Record<string, number>> {
  const images = Object.groupBy(pods, ({ spec }) => spec.containers[0]?.image ?? '');
  return Object.fromEntries(Object.entries(images).map(([image, those = []]) => [image, those.length]));
}
