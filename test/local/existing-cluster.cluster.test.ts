// `make run KUBECONFIG=path`: the operator on this machine, for a cluster where nothing of it is installed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { afterEach, expect, it } from '@jest/globals';
import { KINDS } from '../../src/kinds/kinds.ts';
import { INSTALLATION } from '../../src/operator/names.ts';
import { freePorts } from '../../src/testing/index.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const KIND_COUNT = Object.keys(KINDS).length;

const { kubeconfig, kubectl, namespace } = await useOwnCluster({ name: 'existing' });

let output = '';
let started: ChildProcess | undefined;
afterEach(() => {
  if (started?.pid === undefined) return;
  try {
    process.kill(-started.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended
  }
});

/** What `make run` starts, on ports that are free. It has a process group, so that nothing of it outlives a test that fails. */
function startRun(env: NodeJS.ProcessEnv, health = 0, webhook = 0): ChildProcess {
  const flags = [`--health-probe-bind-address=127.0.0.1:${health}`, `--webhook-port=${webhook}`];
  const args = ['run', '--silent', 'start', '--', '--kubeconfig', kubeconfig, '--', ...flags];
  const child = spawn('npm', args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  started = child;
  return child;
}

async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

const listed = async (...what: readonly string[]): Promise<string[]> =>
  (await kubectl(['get', ...what, '-o', 'name'])).stdout.split('\n').filter(Boolean);

it('applies the CRDs, installs nothing else, works, and ends with the signal', async () => {
  const [health, webhook] = (await freePorts(2)) as [number, number];
  const run = startRun({}, health, webhook);
  await eventually(async () => expect(await readyz(health)).toBe(200));
  expect(output).toContain(`Applied ${KIND_COUNT} CRDs`);
  expect(output).not.toContain('storage is (re)initializing');
  expect(await listed('crd')).toHaveLength(KIND_COUNT);
  const everything = await listed('namespaces,deployments,clusterroles,clusterrolebindings', '--all-namespaces');
  const webhooks = await listed('mutatingwebhookconfigurations,validatingwebhookconfigurations');
  expect([...everything, ...webhooks].filter((name) => name.includes('mydeployment'))).toEqual([]);
  await expect(greet(webhook, readFileSync('.cluster/webhook-certificates/ca.crt'))).resolves.toBe(true);

  const place = await namespace();
  expect(await kubectl(['-n', place, 'apply', '-f', 'samples/mydeployment.yaml'])).toMatchObject({ code: 0 });
  const wait = ['-n', place, 'wait', 'md', '--all', '--for=condition=Available', '--timeout=60s'];
  expect(await kubectl(wait)).toMatchObject({ code: 0 });

  run.kill('SIGTERM'); // npm is told, and passes it on
  await endOf(run);
  await expect(readyz(health)).rejects.toThrow('fetch failed');
});

it('serves no webhooks with ENABLE_WEBHOOKS=false', async () => {
  const [health, webhook] = (await freePorts(2)) as [number, number];
  startRun({ ENABLE_WEBHOOKS: 'false' }, health, webhook);
  await eventually(async () => expect(await readyz(health)).toBe(200));
  expect(output).not.toContain('Webhooks are served');
  await expect(greet(webhook)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('refuses a cluster where the operator runs, unless it is scaled to zero', async () => {
  const place = await namespace();
  const deployment = ['-n', place, 'create', 'deployment', INSTALLATION.manager, '--image=operator:1'];
  expect(await kubectl(deployment)).toMatchObject({ code: 0 });
  const run = startRun({});
  expect(await endOf(run)).toBe(1);
  expect(output).toContain(`run: the operator runs in this cluster already (deployment ${INSTALLATION.manager} in`);
  expect(output).toContain(place);

  await kubectl(['-n', place, 'scale', 'deployment', INSTALLATION.manager, '--replicas=0']);
  const [health] = (await freePorts(1)) as [number];
  startRun({ ENABLE_WEBHOOKS: 'false' }, health);
  await eventually(async () => expect(await readyz(health)).toBe(200));
});

async function readyz(port: number): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
}

/** Whether a TLS client that trusts this CA trusts what listens there. */
function greet(port: number, ca?: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port, ...(ca && { ca }) }, () => {
      resolve(socket.authorized);
      socket.end();
    });
    socket.once('error', reject);
  });
}
