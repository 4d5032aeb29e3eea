// Counts the pods of one namespace from watch events. Every number that a condition may ask for is kept up to date, so
// that judging each of ten thousand events costs nothing.

import type { KubeObject } from '../../src/runtime/object.ts';

export interface WatchedPod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly image?: string }[] };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly image?: string }[];
  };
}

interface Entry {
  readonly name: string;
  readonly app: string;
  readonly image: string;
  readonly ready: boolean;
  readonly leaving: boolean;
}

export class PodTally {
  readonly #pods = new Map<string, Entry>();
  readonly #ready = new Map<string, number>();
  /** By the label `app`, which names the object. */
  readonly #changedAt = new Map<string, number>();
  #leaving = 0;
  #created = 0;

  /** Pods that exist, those on their way out included. */
  get present(): number {
    return this.#pods.size;
  }

  /** Pods that are not being deleted. */
  get active(): number {
    return this.#pods.size - this.#leaving;
  }

  /** Pods that ever appeared. */
  get created(): number {
    return this.#created;
  }

  /** Active pods that are Ready and run this image. */
  ready(image: string): number {
    return this.#ready.get(image) ?? 0;
  }

  /** True when the pod was deleted, whether or not it is still there. */
  isDeleted(uid: string): boolean {
    return this.#pods.get(uid)?.leaving ?? true;
  }

  /** When the number of active or of Ready pods of an object last changed. */
  changedAt(app: string): number | undefined {
    return this.#changedAt.get(app);
  }

  /** Active pods, oldest first. */
  list(): { readonly uid: string; readonly name: string }[] {
    return [...this.#pods].filter(([, { leaving }]) => !leaving).map(([uid, { name }]) => ({ uid, name }));
  }

  observe(type: 'ADDED' | 'MODIFIED' | 'DELETED', pod: WatchedPod, at: number): void {
    const { uid } = pod.metadata;
    const before = this.#pods.get(uid);
    const after = type === 'DELETED' ? undefined : entryOf(pod);
    if (before !== undefined) this.#count(before, -1);
    if (after !== undefined) this.#count(after, 1);
    if (before === undefined && after !== undefined) this.#created++;
    if (countsAs(before) !== countsAs(after)) this.#changedAt.set(entryOf(pod).app, at);
    if (after === undefined) this.#pods.delete(uid);
    else this.#pods.set(uid, after);
  }

  /** Takes a list for the truth: pods that are not in it are gone. */
  replace(pods: readonly WatchedPod[], at: number): void {
    const listed = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const [uid, entry] of this.#pods) {
      if (listed.has(uid)) continue;
      this.#count(entry, -1);
      this.#pods.delete(uid);
      if (countsAs(entry) !== 'nothing') this.#changedAt.set(entry.app, at);
    }
    for (const pod of pods) this.observe('MODIFIED', pod, at);
  }

  toString(): string {
    const ready = [...this.#ready]
      .filter(([, count]) => count > 0)
      .map(([image, count]) => `${count} Ready of ${image}`);
    return [`${this.active} active`, `${this.#leaving} leaving`, ...ready].join(', ');
  }

  #count({ image, ready, leaving }: Entry, change: 1 | -1): void {
    if (leaving) this.#leaving += change;
    else if (ready) this.#ready.set(image, this.ready(image) + change);
  }
}

/** What a status counts a pod as. */
function countsAs(entry: Entry | undefined): 'nothing' | 'active' | 'ready' {
  if (entry === undefined || entry.leaving) return 'nothing';
  return entry.ready ? 'ready' : 'active';
}

function entryOf({ metadata, spec, status }: WatchedPod): Entry {
  return {
    name: metadata.name,
    app: metadata.labels?.app ?? '',
    // In a pod that is changed in place, the container that runs has the old image for a while.
    image: status?.containerStatuses?.[0]?.image ?? spec?.containers?.[0]?.image ?? '',
    ready: status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false,
    leaving: metadata.deletionTimestamp !== undefined,
  };
}
