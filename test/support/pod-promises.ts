// What the fields of a RolloutPolicy promise that act on single pods, judged from nothing but what the API server recorded,
// beside policy-promises.ts and like it with its own arithmetic.
//
// Promises: under podReplacementPolicy: TerminationComplete no pod is created above replicas + maxSurge, terminating pods
// included. Under scaleDown.spreadBy a zone from which pods were taken between two rests has at most one fewer than the fullest,
// where nothing but deletions of equal pods lies between them. Under inPlace a pod is changed only where one may be unavailable, has
// the image of the revision that its labels name, says that it is being changed, and says so until it runs what it is to run. Those
// of the first two hold while every version of the only policy has the field: when an operator has learned of another version, or
// of another policy, is not recorded.

import type { MyDeployment } from '../../src/kinds/my-deployment/types.gen.ts';
import type { RolloutPolicySpecPods } from '../../src/policy/types.gen.ts';
import { controllerOf } from '../../src/runtime/object.ts';
import type { Node } from '../../src/workload/node.ts';
import type { Pod } from '../../src/workload/pod.ts';
import type { ControllerRevision } from '../../src/workload/revision.ts';
import { notesOf } from './attempt-notes.ts';
import { hasEnded, hashOf, isActive, isCounted, isUnderChange, readyConditionOf } from './pod-facts.ts';
import type { RecordedPolicy } from './policy-promises.ts';
import { boundsOf } from './rollout-bounds.ts';
import type { Excuses, Recorded } from './rollout-promises.ts';

/** An operator may not know of a new policy for so long. */
const LEARNS_WITHIN_MS = 15_000;
const HASH_LABEL = 'controller.kubernetes.io/hash';

export type RecordedNode = { readonly kind: 'Node' } & Pick<Recorded, 'at' | 'type'> & { readonly object: Node };

export class PodPromises {
  readonly #excuses: Excuses;
  /** Specs that may be in force, by generation. */
  readonly #specs = new Map<number, MyDeployment['spec']>();
  #object: MyDeployment | undefined;
  /** Those of the object, terminating ones included. */
  readonly #pods = new Map<string, Pod>();
  /** How many pods each revision is recorded to have. */
  readonly #counts = new Map<string, number>();
  /** What each policy that there ever was has said of pods in every version; undefined when it was deleted. */
  readonly #policies = new Map<string, (RolloutPolicySpecPods | undefined)[]>();

  /** The image of each revision's template, by its hash. */
  readonly #images = new Map<string, string | undefined>();
  /** When the first policy came. */
  #governedAt = 0;
  readonly #nodes = new Map<string, Node>();
  /** The active pods at the last rest; undefined when more than deletions happened since. */
  #atRest: ReadonlyMap<string, Pod> | undefined;
  /** True when a record of the operator has shown that it has learned of the policy. */
  #isLearned = false;

  constructor(excuses: Excuses) {
    this.#excuses = excuses;
  }

  /** Takes the next event; returns the promises that it breaks. */
  take(event: Recorded | RecordedPolicy | RecordedNode): string[] {
    switch (event.kind) {
      case 'MyDeployment':
        this.#changed(event.type, event.object);
        return this.#judgeSpread();
      case 'Node':
        this.#nodes.set(event.object.metadata.name, event.object);
        return [];
      case 'RolloutPolicy': {
        const { uid } = event.object.metadata;
        if (this.#policies.size === 0) this.#governedAt = event.at ?? 0;
        const said = event.type === 'DELETED' ? undefined : event.object.spec.pods;
        this.#policies.set(uid, [...(this.#policies.get(uid) ?? []), said]);
        return [];
      }
      case 'Pod':
        return this.#podChanged(event.type, event.object, event.at ?? 0);
      case 'ControllerRevision': {
        const isOurs = this.#isOurs(event.object) && event.type !== 'DELETED';
        this.#images.set(event.object.metadata.labels?.[HASH_LABEL] ?? '', imageOf(templateIn(event.object)));
        this.#counts.set(event.object.metadata.name, isOurs ? notesOf(event.object).desired : 0);
        this.#isLearned ||= hasRecord(event.object);
        return [];
      }
      default:
        return event satisfies never;
    }
  }

  #changed(type: Recorded['type'], object: MyDeployment): void {
    if (object.metadata.namespace !== 'default') return;
    const { uid, generation = 0, deletionTimestamp } = object.metadata;
    if (this.#object?.metadata.uid !== uid) this.#specs.clear();
    this.#object = type === 'DELETED' || deletionTimestamp !== undefined ? undefined : object;
    this.#specs.set(generation, object.spec);
    const observed = object.status?.observedGeneration ?? 0;
    for (const old of this.#specs.keys()) if (old < observed && !this.#excuses.overlapped) this.#specs.delete(old);
  }

  #podChanged(type: Recorded['type'], pod: Pod, at: number): string[] {
    const { uid, name } = pod.metadata;
    const before = this.#pods.get(uid);
    if (type === 'DELETED' || !this.#isOurs(pod)) this.#pods.delete(uid);
    else this.#pods.set(uid, pod);
    const isMoved = before !== undefined && hashOf(before) !== hashOf(pod);
    const isNew = type === 'ADDED' || (before === undefined && this.#isOurs(pod));
    if (isNew || isMoved || this.#excuses.harmed.has(name) || pod.metadata.annotations !== undefined)
      this.#atRest = undefined;
    if (!this.#isOurs(pod) || !isActive(pod) || this.#excuses.overlapped) return [];
    // Being harmed is no excuse here.
    if (before !== undefined) return this.#judgeInPlace(before, pod);
    if (this.#excuses.harmed.has(name) || this.#excuses.uninvited?.has(name)) return [];
    return type === 'ADDED' && at - this.#governedAt > LEARNS_WITHIN_MS ? this.#judgeRoom() : [];
  }

  #judgeInPlace(before: Pod, pod: Pod): string[] {
    const { name } = pod.metadata;
    if (this.#excuses.scribbledOn?.has(name)) return [];
    const [wasChanging, isChanging] = [before, pod].map(isUnderChange);
    const isNew = imageOf(before.spec) !== imageOf(pod.spec);
    const isResized = resourcesOf(before.spec) !== resourcesOf(pod.spec);
    const begins = !wasChanging && (isChanging || isNew);
    const image = this.#images.get(hashOf(pod) ?? '');
    const isTorn = image !== undefined && image !== imageOf(pod.spec);
    const broken: readonly (readonly [broken: boolean | undefined, what: string])[] = [
      [begins && !this.#mayChange(), 'is changed in place although nobody asked for it, or no pod may be unavailable'],
      [
        (isNew || isResized) && !isChanging,
        'gets another image or other resources, and nothing says that it is being changed',
      ],
      [wasChanging && !isChanging && !runsItsImage(pod), 'is said to be changed before it is'],
      [isTorn && (isNew || hashOf(before) !== hashOf(pod)), 'has the labels of one revision and the image of another'],
    ];
    return broken.filter(([is]) => is).map(([, what]) => `${name} ${what}`);
  }

  /** By any policy, and any spec, that may be in force. */
  #mayChange(): boolean {
    const mayLack = [...this.#specs.values()].some((spec) => {
      const { floor, recreate } = boundsOf(spec);
      return !recreate && floor < (spec.replicas ?? 1);
    });
    return mayLack && this.#policyVersions().some((pods) => pods?.inPlace?.mode === 'IfPossible');
  }

  #judgeRoom(): string[] {
    if (!this.#isAsked((pods) => pods?.podReplacementPolicy === 'TerminationComplete')) return [];
    const specs = [...this.#specs.values()];
    const running = [...this.#pods.values()].filter(
      (pod) =>
        !hasEnded(pod) &&
        !this.#excuses.uninvited?.has(pod.metadata.name) &&
        specs.some(({ selector }) => isCounted(selector, pod)),
    );
    const recorded = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const allowed = Math.max(recorded, ...specs.map((spec) => boundsOf(spec).ceiling));
    const leaving = running.filter((pod) => !isActive(pod)).length;
    return running.length > allowed
      ? [`${running.length} pods where ${allowed} are allowed, ${leaving} terminating ones included`]
      : [];
  }

  /** A rest is a status that says that all is well while it is. */
  #judgeSpread(): string[] {
    const { spec, status, metadata } = this.#object ?? {};
    const active = new Map([...this.#pods].filter(([, pod]) => isActive(pod)));
    const ready = [...active.values()].filter((pod) => readyConditionOf(pod) !== undefined).length;
    const counts = [status?.replicas, status?.availableReplicas, active.size, ready];
    const isAtRest = counts.every((count) => count === (spec?.replicas ?? 1));
    if (spec === undefined || !isAtRest || status?.observedGeneration !== metadata?.generation) return [];
    const before = this.#atRest;
    this.#atRest = this.#excuses.overlapped ? undefined : active;
    const zone = this.#policyVersions()[0]?.scaleDown?.spreadBy;
    if (before === undefined || zone === undefined || !this.#isAsked((pods) => pods?.scaleDown?.spreadBy === zone))
      return [];
    const zoneOf = ({ spec: { nodeName = '' } = {} }: Pod) => this.#nodes.get(nodeName)?.metadata.labels?.[zone] ?? '';
    const left = Map.groupBy([...active.values()], zoneOf);
    const most = Math.max(0, ...[...left.values()].map((pods) => pods.length));
    const lost = [...before].filter(([uid]) => !active.has(uid)).map(([, pod]) => zoneOf(pod));
    const robbed = lost.find((each) => (left.get(each)?.length ?? 0) < most - 1);
    return robbed === undefined
      ? []
      : [`zone ${robbed} lost pods and has ${left.get(robbed)?.length ?? 0}, another one still has ${most}`];
  }

  #policyVersions(): readonly (RolloutPolicySpecPods | undefined)[] {
    return [...this.#policies.values()].flat();
  }

  /** True when there was one policy only, each of its versions asks for it, and the operator has learned of it. */
  #isAsked(by: (pods: RolloutPolicySpecPods | undefined) => boolean): boolean {
    const [versions, ...others] = [...this.#policies.values()];
    return this.#isLearned && versions !== undefined && others.length === 0 && versions.every(by);
  }

  #isOurs(object: Parameters<typeof controllerOf>[0]): boolean {
    return this.#object !== undefined && controllerOf(object)?.uid === this.#object.metadata.uid;
  }
}

/** Only an operator that knows a policy records completions and steps. */
function hasRecord(revision: ControllerRevision): boolean {
  const { completed, step } = notesOf(revision);
  return completed !== undefined || step !== undefined;
}

function templateIn({ data }: ControllerRevision): Pod['spec'] {
  return (data as { spec?: { template?: { spec?: Pod['spec'] } } } | undefined)?.spec?.template?.spec;
}

function imageOf(spec: Pod['spec']): string | undefined {
  return spec?.containers?.[0]?.image;
}

/** Which image a container was started with is something that only the kubelet of the model tells. */
function runsItsImage({ spec, status }: Pod): boolean {
  const started = status?.containerStatuses?.[0] as { readonly image?: string } | undefined;
  return started?.image === undefined || started.image === imageOf(spec);
}

function resourcesOf(spec: Pod['spec']): string {
  return JSON.stringify(spec?.containers?.map(({ resources }) => resources));
}
