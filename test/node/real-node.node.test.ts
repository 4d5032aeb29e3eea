// The real node itself: pods with containers, Services that lead to them, and nothing of it on the machine.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { describeOnRealNode, type RealCluster } from './support/real-cluster.ts';

/** Where a node of the machine's own keeps things. */
const FOLDERS = [
  '/etc/cni',
  '/opt/containerd',
  '/run/containerd',
  '/usr/libexec/kubernetes',
  '/var/lib/cni',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/log/containers',
  '/var/log/pods',
];

const before = machineState();
const createNamespace = (real: RealCluster): Promise<string> => real.kubectl(['create', 'namespace', 'web']);

await describeOnRealNode('a real node', createNamespace, (real) => {
  it('runs pods that reach each other through a Service, and shows their logs', async () => {
    await real.apply(pod('server', ['sh', '-c', 'echo hello >/tmp/index.html && exec httpd -f -p 8080 -h /tmp']));
    await real.kubectl(['-n', 'web', 'expose', 'pod', 'server', '--port=80', '--target-port=8080']);
    await real.kubectl(['-n', 'web', 'wait', '--for=condition=Ready', 'pod/server', '--timeout=60s']);
    const address = await real.kubectl(['-n', 'web', 'get', 'service', 'server', '-o', 'jsonpath={.spec.clusterIP}']);
    const ask = `until printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${address} 80; do sleep 0.2; done`;
    await real.apply(pod('client', ['sh', '-c', ask]));
    await eventually(async () => expect(await real.kubectl(['-n', 'web', 'logs', 'client'])).toMatch(/\nhello\n$/));
    expect(await real.kubectl(['-n', 'web', 'exec', 'server', '--', 'cat', '/tmp/index.html'])).toBe('hello\n');
  });

  it('keeps the network of the machine as it was', () => {
    expect(execFileSync('ip', ['-o', 'address']).toString()).not.toMatch(/172\.31\.255\.1|10\.244\./);
    expect(execFileSync('ip', ['route']).toString()).not.toMatch(/10\.96\.|10\.244\./);
  });

  it('leaves no process, cgroup, mount, folder or changed sysctl behind when it is stopped', async () => {
    expect(traces(real.cluster)).not.toEqual([]);
    await real.cluster.stop();
    expect(traces(real.cluster)).toEqual([]);
    expect(machineState()).toEqual(before);
  });
});

/** Processes and cgroups that carry the cluster's name. */
function traces(cluster: Cluster): string[] {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => commandLine(pid).includes(cluster.home));
  const cgroups = execFileSync('find', ['/sys/fs/cgroup', '-maxdepth', '2', '-name', `mydeployment-${cluster.name}-*`]);
  return [...processes.map(commandLine), ...cgroups.toString().split('\n').filter(Boolean)];
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // gone since the folder was read
  }
}

/** What a node of the machine's own would change. */
function machineState(): object {
  const sysctls = ['vm/overcommit_memory', 'kernel/panic', 'kernel/panic_on_oops', 'net/ipv4/ip_forward'];
  return {
    sysctls: sysctls.map((name) => readFileSync(`/proc/sys/${name}`, 'utf8')),
    folders: FOLDERS.filter(existsSync),
    mounts: readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((line) => /containerd|kubelet/.test(line)),
  };
}

function pod(name: string, command: readonly string[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'web', labels: { app: name } },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'busybox:local', command }],
      terminationGracePeriodSeconds: 0,
    },
  };
}
