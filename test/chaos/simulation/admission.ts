// What policies of a cluster do at its API server: take something from pods on their way in, and refuse adoptions and
// releases. Only what operators write is concerned: people know what their policies want.

import { controllerOf, type KubeObject, type Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { pods } from '../../../src/workload/write-context.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What a pod can lose. */
export const PARTS = ['labels', 'hashes', 'owner'] as const;
export type Part = (typeof PARTS)[number];

export type Refusal = 'Forbidden' | 'Invalid';

const HASHES = ['controller-revision-hash', 'pod-template-hash'];

export class Admission {
  /** How many claims it has refused. */
  refused = 0;
  readonly #time: VirtualTime;
  readonly #onAltered: (name: string) => void;
  #part: Part | undefined;
  #alteredUntil = 0;
  #refusal: Refusal | undefined;

  /** Tells the names of pods that it alters. */
  constructor(time: VirtualTime, onAltered: (name: string) => void) {
    this.#time = time;
    this.#onAltered = onAltered;
  }

  /** Takes this part from every new pod for a while. */
  alterPods(part: Part, forMs: number): void {
    this.#part = part;
    this.#alteredUntil = this.#time.now() + forMs;
  }

  /** Refuses every change of an owner from now on, or none any more. */
  refuseClaims(refusal: Refusal | undefined): void {
    this.#refusal = refusal;
  }

  get refusesClaims(): boolean {
    return this.#refusal !== undefined;
  }

  /** New pods are left as they are from now on. */
  relent(): void {
    this.#alteredUntil = 0;
  }

  /** The object as it is stored. */
  admit<T extends KubeObject>({ plural }: Resource<T>, manifest: Manifest<T>, actor: string): Manifest<T> {
    const isAltered = plural === pods.plural && isOperator(actor) && this.#time.now() < this.#alteredUntil;
    if (!isAltered || this.#part === undefined) return manifest;
    this.#onAltered(manifest.metadata.name as string);
    return { ...manifest, metadata: { ...manifest.metadata, ...without(this.#part, manifest.metadata) } };
  }

  /** Why this change is refused; undefined when it is not. */
  judge(before: KubeObject, after: KubeObject, actor: string): Refusal | undefined {
    if (this.#refusal === undefined || !isOperator(actor)) return undefined;
    if (controllerOf(before)?.uid === controllerOf(after)?.uid) return undefined;
    this.refused += 1;
    return this.#refusal;
  }
}

function without(part: Part, { labels = {} }: Manifest<KubeObject>['metadata']): Partial<KubeObject['metadata']> {
  const { app: _, ...others } = labels;
  switch (part) {
    case 'labels':
      return { labels: others };
    case 'hashes':
      return { labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !HASHES.includes(label))) };
    case 'owner':
      return { ownerReferences: [] };
    default:
      return part satisfies never;
  }
}

function isOperator(actor: string): boolean {
  return actor.startsWith('operator');
}
