// A Deployment and a MyDeployment of the same spec, side by side in a namespace of their own, and what should be the same
// about them once nothing moves any more: the stored template, the counts and conditions, and the pods up to their names.

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { V1Pod } from '@kubernetes/client-node';
import type { Client } from '../../../src/runtime/client/client.ts';
import { controllerOf, type KubeObject, type Raw } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { withoutDefaultSpread } from '../../support/default-spread.ts';
import type { Json } from '../../support/merge-patch.ts';
import { deployments, manifestOf, ours, type Workload, type WorkloadStatus } from './kinds.ts';
import { LABELS } from './pod-companions.ts';

type FullPod = KubeObject & Omit<Raw<V1Pod>, 'metadata'>;

const pods: Resource<FullPod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export interface Twins {
  readonly namespace: string;
  readonly names: { readonly native: string; readonly ours: string };
  /** As they were when they came to rest. */
  readonly before: readonly Portrait[];
}

/** What is compared. */
export interface Portrait {
  readonly generation: number;
  readonly facts: Json;
  readonly podUids: readonly string[];
  /** All replicas that should be there are, of the newest template, and available. */
  readonly isComplete: boolean;
}

export const BASE: Json = {
  replicas: 2,
  selector: { matchLabels: LABELS },
  template: { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'web:v1' }] } },
};

const NAMES = { native: 'native', ours: 'ours' } as const;
const WITHIN_MS = 60_000;
/** So long must both be the same and stay as they are; longer while replicas are missing that may still come. */
const STILL_MS = 300;
const STUCK_MS = 3_000;

/** Creates both and waits until they are at rest. */
export async function twinsAtRest(client: Client, namespace: string, spec: Json = BASE): Promise<Twins> {
  await client.create(deployments, manifestOf<Workload>(namespace, NAMES.native, spec));
  await client.create(ours, manifestOf<Workload>(namespace, NAMES.ours, spec));
  const before = await alike(client, namespace);
  return { namespace, names: NAMES, before };
}

/** Waits until both are at rest and the same; throws how they differ when they do not become so. */
export async function alike(client: Client, namespace: string): Promise<readonly [Portrait, Portrait]> {
  const deadline = Date.now() + WITHIN_MS;
  for (let [last, since] = [[] as unknown, Date.now()]; ; await delay(STILL_MS / 3)) {
    const now = await portraits(client, namespace);
    if (!isDeepStrictEqual(now, last)) [last, since] = [now, Date.now()];
    const [native, own] = now;
    const same = native !== undefined && own !== undefined && isDeepStrictEqual(native.facts, own.facts);
    if (same && Date.now() - since >= (native.isComplete ? STILL_MS : STUCK_MS)) return [native, own];
    if (Date.now() > deadline) throw new Error(differenceOf(native?.facts, own?.facts));
  }
}

/** Only what differs: the rest is long. */
function differenceOf(native: Json | undefined, own: Json | undefined): string {
  const [one, other] = [(native ?? {}) as Record<string, Json>, (own ?? {}) as Record<string, Json>];
  const names = Object.keys({ ...one, ...other }).filter((name) => !isDeepStrictEqual(one[name], other[name]));
  const told = names.map((name) => `${name}: native ${JSON.stringify(one[name])}, ours ${JSON.stringify(other[name])}`);
  return told.length === 0 ? 'they are the same and do not come to rest' : told.join('; ');
}

/** What has happened to twins that nothing should have happened to. */
export async function harmTo(client: Client, { namespace, before }: Twins): Promise<string[]> {
  const now = await portraits(client, namespace);
  return now.flatMap((portrait, index) =>
    isDeepStrictEqual(portrait, before[index])
      ? []
      : [`it was ${JSON.stringify(before[index])} and is ${JSON.stringify(portrait)}`],
  );
}

async function portraits(client: Client, namespace: string): Promise<(Portrait | undefined)[]> {
  const { items } = await client.list(pods, { namespace });
  return Promise.all([portraitOf(client, deployments, namespace, items), portraitOf(client, ours, namespace, items)]);
}

/** The template without what says nothing: null, of which a custom resource knows none, and an empty name. */
export function said(template: Json): Json {
  return JSON.parse(JSON.stringify(template, (key, value) => (isNothing(key, value) ? undefined : value)));
}

function isNothing(key: string, value: unknown): boolean {
  return value === null || (key === 'name' && value === '');
}

/** Undefined while its controller has not looked yet. */
async function portraitOf(
  client: Client,
  resource: Resource<Workload>,
  namespace: string,
  all: readonly FullPod[],
): Promise<Portrait | undefined> {
  const name = resource === ours ? NAMES.ours : NAMES.native;
  const object = await client.get(resource, { namespace, name });
  const { metadata, status, spec } = object;
  if (status === undefined || status.observedGeneration !== metadata.generation) return undefined;
  // Native pods have a ReplicaSet in between.
  const own = all.filter((pod) => controllerOf(pod)?.name.replace(/^(native)-.*/, '$1') === name).filter(isActive);
  const { replicas, paused, template } = spec;
  const facts = {
    replicas,
    paused: paused ?? false,
    template: said(template as Json),
    ...standing(status),
    pods: own.map((pod) => essence(resource === ours ? withoutDefaultSpread(pod, spec.selector) : pod)).sort(byText),
  };
  return {
    generation: metadata.generation as number,
    facts: JSON.parse(JSON.stringify(facts)) as Json,
    podUids: own.map((pod) => pod.metadata.uid).sort(),
    isComplete: PROGRESS.every((name) => (status[name] ?? 0) === replicas),
  };
}

const PROGRESS = ['replicas', 'updatedReplicas', 'availableReplicas'] as const;
const COUNTS = ['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas', 'terminatingReplicas'] as const;

function standing(status: WorkloadStatus): object {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, status[name] ?? 0]));
  // Reconciling and Stalled say the same to tools that do not know the kind.
  const native = (status.conditions ?? []).filter(({ type }) => !['Reconciling', 'Stalled'].includes(type));
  const conditions = native.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`).sort();
  return { counts, conditions };
}

function isActive({ metadata, status }: FullPod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
}

/** A pod without what must differ: its name, its hashes and owner, where it runs, and the names of generated volumes. */
function essence({ metadata, spec }: FullPod): string {
  const { 'controller-revision-hash': _, 'pod-template-hash': hash, ...labels } = metadata.labels ?? {};
  const { nodeName: __, ...rest } = spec ?? {};
  const { annotations = {}, finalizers = [] } = metadata;
  const facts = { labels: { ...labels, hashed: hash !== undefined }, annotations, finalizers, spec: rest };
  const text = JSON.stringify(facts).replaceAll(/kube-api-access-\w+/g, 'kube-api-access');
  return text.replaceAll(hash ?? '\u0000', 'hash');
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
