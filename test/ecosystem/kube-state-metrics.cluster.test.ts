// kube-state-metrics with the configuration and the rights that we ship, on objects of every kind. It signs in with the
// ServiceAccount that its own manifests create.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { KINDS } from '../../src/kinds/kinds.ts';
import { freePorts, GuardedProcess } from '../../src/testing/index.ts';
import { useStage } from '../e2e/stage.ts';
import { eventually } from '../support/eventually.ts';
import { describeWithTool } from '../support/tools.ts';
import { enter, PHASES } from './phases.ts';

const stage = await useStage({ name: 'kube-state-metrics', nodes: 2 });
const FOLDER = 'ecosystem/kube-state-metrics';

/** The kubeconfig of the cluster, signed in with a token. */
function kubeconfigWith(token: string): string {
  const { users, ...rest } = parse(readFileSync(stage.kubeconfig, 'utf8')) as { users: { name: string }[] };
  const path = join(mkdtempSync(join(tmpdir(), 'kube-state-metrics-')), 'kubeconfig');
  writeFileSync(path, stringify({ ...rest, users: users.map(({ name }) => ({ name, user: { token } })) }));
  return path;
}

await describeWithTool('kube-state-metrics', 'kube-state-metrics', (program) => {
  let metrics: () => Promise<readonly string[]>;
  let running: GuardedProcess | undefined;

  beforeAll(async () => {
    await stage.kubectl(['-n', 'kube-system', 'create', 'serviceaccount', 'kube-state-metrics']);
    expect(await stage.kubectl(['apply', '-f', `${FOLDER}/rbac.yaml`])).toMatchObject({ code: 0 });
    const kubeconfig = kubeconfigWith(await stage.token('kube-system', 'kube-state-metrics'));
    const [port, telemetryPort] = await freePorts(2);
    running = await GuardedProcess.start({
      name: 'kube-state-metrics',
      file: program,
      args: [
        `--kubeconfig=${kubeconfig}`,
        `--custom-resource-state-config-file=${FOLDER}/custom-resource-state.yaml`,
        '--custom-resource-state-only',
        '--host=127.0.0.1',
        `--port=${port}`,
        '--telemetry-host=127.0.0.1',
        `--telemetry-port=${telemetryPort}`,
      ],
      logFile: `${kubeconfig}.log`,
    });
    metrics = async () => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n');
  });

  afterAll(() => running?.stop(5000));

  /** The values of an object by metric, and those of its conditions by their type. */
  async function valuesOf(kind: string, namespace: string): Promise<Readonly<Record<string, number>>> {
    const ours = (await metrics()).filter((line) => line.includes(`namespace="${namespace}"`));
    return Object.fromEntries(
      ours.map((line) => {
        const [, name = '', labels = '', value] = /^(\w+)\{(.*)\} (\S+)$/.exec(line) ?? [];
        const condition = /condition="(\w+)"/.exec(labels)?.[1];
        return [condition ?? name.replace(`kube_${kind.toLowerCase()}_`, ''), Number(value)];
      }),
    );
  }

  const generations = { metadata_generation: 1, status_observed_generation: 1 };
  const pods = { spec_replicas: 2, status_replicas: 2 };
  const two = { ...generations, ...pods, status_replicas_ready: 2 };
  const available = { status_replicas_available: 2, status_replicas_updated: 2 };
  const native = { status_replicas_unavailable: 0, spec_paused: 0, Available: 1, Progressing: 1 };
  const nodes = {
    status_desired_number_scheduled: 2,
    status_current_number_scheduled: 2,
    status_updated_number_scheduled: 2,
    status_number_available: 2,
    status_number_unavailable: 0,
    status_number_misscheduled: 0,
  };
  const none = { status_replicas_ready: 0, status_replicas_available: 0, status_replicas_unavailable: 2 };

  it.concurrent.each([
    ['MyDeployment', 'healthy', { ...two, ...available, ...native }],
    [
      'MyDeployment',
      'degraded',
      { ...two, ...available, ...native, ...none, Available: 0, Progressing: 0, Stalled: 1 },
    ],
    ['MyDeployment', 'progressing', { ...two, ...available, ...native, ...none, Available: 0, Reconciling: 1 }],
    [
      'RolloutPolicy',
      'without-target',
      { ...generations, status_steps: 1, status_step: 0, Accepted: 0, Ready: 0, Reconciling: 1 },
    ],
    ['ImoocPod', 'healthy', { ...two, Ready: 1 }],
    ['ImoocPod', 'unready', { ...two, status_replicas_ready: 1, Ready: 0 }],
    ['MyDaemonSet', 'healthy', { ...generations, ...nodes, Available: 1, Ready: 1 }],
    ['ModelBox', 'healthy', { ...two, ...available, Available: 1, Progressing: 1, Ready: 1 }],
    ['Collector', 'without-target', { ...generations, status_targets: 0, status_events: 0, Ready: 0 }],
  ])('counts a %s that is %s', async (kind, name, expected) => {
    const phase = PHASES.find((each) => each.kind === kind && each.phase === name);
    if (phase === undefined) throw new Error(`no phase ${name} of ${kind}`);
    const { namespace } = (await (await enter(phase, stage))()).metadata;
    await eventually(async () => expect(await valuesOf(kind, namespace as string)).toEqual(expected));
  });

  it('is configured for every kind', () => {
    const { spec } = parse(readFileSync(`${FOLDER}/custom-resource-state.yaml`, 'utf8'));
    const configured = spec.resources.map(({ groupVersionKind }: { groupVersionKind: object }) => groupVersionKind);
    const kinds = Object.values(KINDS).map(({ definition: { resource } }) => resource);
    expect(configured).toEqual(kinds.map(({ group, version, kind }) => ({ group, version, kind })));
  });
});
