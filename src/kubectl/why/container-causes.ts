// Why a container does not start or keeps failing: its image, its configuration, its exit.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { counted, ended } from '../phrasing.ts';
import { eventOf, type Facts, podsNamed } from './cause.ts';
import type { ContainerStatus, PodProblem } from './pod-problem.ts';

/** The problem of the first container that has one; init containers first, because the others wait for them. */
export function containerProblem(pod: FullPod, facts: Facts): PodProblem | undefined {
  for (const status of pod.status?.initContainerStatuses ?? []) {
    const problem = stateProblem(pod, status, facts);
    if (problem !== undefined) return { ...problem, ...initWords(problem, status) };
  }
  for (const status of pod.status?.containerStatuses ?? []) {
    const problem = stateProblem(pod, status, facts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Only an init container that runs and fails needs another sentence: it keeps the other containers from starting. */
function initWords(problem: PodProblem, { name }: ContainerStatus): Partial<PodProblem> {
  if (problem.name !== 'crash-loop' && problem.name !== 'out-of-memory') return {};
  const say = (pods: readonly FullPod[]): string =>
    `Init container "${name}" of ${podsNamed(pods)} fails again and again, and the others wait for it: ${problem.detail}.`;
  return { name: 'init-container', say };
}

const PULL =
  /^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable)$/;
const CONFIG = /^(CreateContainerConfigError|CreateContainerError|RunContainerError)$/;

function stateProblem(pod: FullPod, status: ContainerStatus, facts: Facts): PodProblem | undefined {
  const { name, image, state, lastState, restartCount } = status;
  const reason = state?.waiting?.reason ?? state?.terminated?.reason ?? '';
  const message = state?.waiting?.message ?? '';
  const evidence = `container ${name}: ${reason}${message === '' ? '' : `: ${message}`}, ${counted(restartCount, 'restart')}`;
  if (PULL.test(reason)) {
    const wanted = pod.spec?.containers.find((container) => container.name === name)?.image ?? image;
    return {
      name: 'image-pull',
      detail: wanted,
      events: ['Failed', 'BackOff', 'InspectFailed'],
      evidence,
      say: (pods) => `${podsNamed(pods)} cannot pull image "${wanted}" (${reason}).`,
      advice: "Check the image's name and tag, and the imagePullSecrets.",
    };
  }
  if (CONFIG.test(reason)) {
    return {
      name: 'container-config',
      detail: message || reason,
      events: ['Failed'],
      evidence,
      say: (pods) =>
        `Container "${name}" of ${podsNamed(pods)} cannot be started (${reason}): ${ended(message || 'the kubelet gives no reason')}`,
      advice: 'See whether the ConfigMaps, Secrets and keys that the template names exist.',
    };
  }
  const end = state?.terminated ?? lastState?.terminated;
  const isCrashing = reason === 'CrashLoopBackOff' || (end !== undefined && end.exitCode !== 0);
  return isCrashing ? crash(pod, status, { evidence, reason: end?.reason, exitCode: end?.exitCode }, facts) : undefined;
}

interface End {
  readonly evidence: string;
  readonly reason: string | undefined;
  readonly exitCode: number | undefined;
}

function crash(
  pod: FullPod,
  { name, restartCount }: ContainerStatus,
  { evidence, reason, exitCode }: End,
  facts: Facts,
): PodProblem {
  const liveness = eventOf(facts, pod, 'Unhealthy', 'Killing')?.message?.startsWith('Liveness') === true;
  const logs = `kubectl logs ${pod.metadata.name} -c ${name} --previous`;
  if (reason === 'OOMKilled') {
    return {
      name: 'out-of-memory',
      detail: `it needs more memory than its limit allows`,
      events: ['BackOff', 'OOMKilling'],
      evidence: `${evidence}, last ended: OOMKilled`,
      say: (pods) =>
        `Container "${name}" of ${podsNamed(pods)} is killed again and again: it needs more memory than its limit.`,
      advice: `Raise the memory limit; ${logs} shows what it did.`,
    };
  }
  const how = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  const why = liveness ? ', killed because its liveness probe fails' : '';
  return {
    name: 'crash-loop',
    detail: `it ends${how}`,
    events: liveness ? ['Unhealthy', 'Killing'] : ['BackOff'],
    evidence,
    say: (pods) =>
      `Container "${name}" of ${podsNamed(pods)} ends${how} as soon as it runs${why}; ${counted(restartCount, 'restart')} so far.`,
    advice: `${logs} shows its last words.`,
  };
}
