// Harm to the container of a pod from outside, as a kernel or an administrator of the node does it.

import { CONTAINERD_SOCKET } from '../../../src/cluster/node/configuration.ts';
import type { Command } from '../../../src/cluster/node/sandbox.ts';
import type { Pod as FullPod } from '../../../src/runtime/built-in.ts';
import type { RealCluster } from './real-cluster.ts';

/** Ends the first container of a pod with SIGKILL. */
export async function killContainer(real: RealCluster, pod: FullPod): Promise<void> {
  await signal(real, pod, 'SIGKILL');
}

/**
 * Lets a Node program in the first container of a pod allocate memory until the kernel ends it: SIGUSR1 makes Node listen for
 * a debugger, and the debugger asks for the memory.
 */
export async function exhaustMemory(real: RealCluster, pod: FullPod): Promise<void> {
  await signal(real, pod, 'SIGUSR1');
  const program = new URL('memory-eater.ts', import.meta.url).pathname;
  const pid = await pidOf(real, pod);
  await real.cluster.realNode.exec(['nsenter', `--net=/proc/${pid}/ns/net`, '--', process.execPath, program]);
}

async function signal(real: RealCluster, pod: FullPod, name: string): Promise<void> {
  await real.cluster.realNode.exec(ctr('task', 'kill', `--signal=${name}`, containerOf(pod)));
}

/** As the processes of the node count. */
async function pidOf(real: RealCluster, pod: FullPod): Promise<string> {
  const tasks = await real.cluster.realNode.exec(ctr('task', 'list'));
  const line = tasks.split('\n').find((each) => each.startsWith(containerOf(pod)));
  const pid = line?.split(/\s+/)[1];
  if (pid === undefined) throw new Error(`containerd runs no container of pod ${pod.metadata.name}`);
  return pid;
}

function containerOf({ metadata, status }: FullPod): string {
  const id = status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '');
  if (id === undefined) throw new Error(`pod ${metadata.name} has no container`);
  return id;
}

function ctr(...args: readonly string[]): Command {
  return ['ctr', `--address=${CONTAINERD_SOCKET}`, '--namespace=k8s.io', ...args];
}
