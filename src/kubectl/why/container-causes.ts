// Why a container does not start, or does not go on: its image, its configuration, its own end.

import type { Pod as FullPod } from '../../runtime/built-in.ts';
import { counted, ended } from '../words.ts';
import { eventOf, type Facts, podsNamed } from './cause.ts';
import type { ContainerStatus, Trouble } from './trouble.ts';

/** The trouble of the first container that is in some; init containers first, since the others wait for them. */
export function containerTrouble(pod: FullPod, facts: Facts): Trouble | undefined {
  for (const status of pod.status?.initContainerStatuses ?? []) {
    const trouble = stateTrouble(pod, status, facts);
    if (trouble !== undefined) return { ...trouble, ...initWords(trouble, status) };
  }
  for (const status of pod.status?.containerStatuses ?? []) {
    const trouble = stateTrouble(pod, status, facts);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

/** Pulling and configuring fails the same way everywhere; one that runs and fails holds the others up. */
function initWords(trouble: Trouble, { name }: ContainerStatus): Partial<Trouble> {
  if (trouble.name !== 'crash-loop' && trouble.name !== 'out-of-memory') return {};
  const say = (pods: readonly FullPod[]): string =>
    `Init container "${name}" of ${podsNamed(pods)} fails again and again, and the others wait for it: ${trouble.detail}.`;
  return { name: 'init-container', say };
}

const PULL =
  /^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|ImageInspectError|RegistryUnavailable)$/;
const CONFIG = /^(CreateContainerConfigError|CreateContainerError|RunContainerError)$/;

function stateTrouble(pod: FullPod, status: ContainerStatus, facts: Facts): Trouble | undefined {
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
): Trouble {
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
