// What the caches show around a policy, and which policies an object concerns.

import { rolloutPolicies } from '../../policy/resource.ts';
import type { RolloutPolicy } from '../../policy/types.gen.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import { keyOfOwner } from '../../runtime/controller/sources.ts';
import { type KubeObject, keyOf } from '../../runtime/object.ts';
import type { Pod } from '../../workload/pod.ts';
import { podInformer, revisionInformer } from '../../workload/pod-cache.ts';
import type { ControllerRevision } from '../../workload/revision.ts';
import { GATE_LABEL, type Job, jobs, trimJob } from './gates/job.ts';
import type { Snapshot } from './snapshot.ts';
import { type Target, targets } from './target.ts';

/** Index of policies by the key of their target. */
const TARGET = 'target';

const keyOfTarget = ({ metadata: { namespace = '' }, spec }: RolloutPolicy): string =>
  keyOf({ namespace, name: spec.targetRef.name });
const targetOf = keyOfOwner(targets);

export class Near {
  readonly policies: Informer<RolloutPolicy>;
  readonly targets: Informer<Target>;
  readonly revisions: Informer<ControllerRevision>;
  readonly pods: Informer<Pod>;
  readonly jobs: Informer<Job>;

  constructor(cache: Cache) {
    this.policies = cache.informer(rolloutPolicies, { indexes: { [TARGET]: (policy) => [keyOfTarget(policy)] } });
    this.targets = cache.informer(targets);
    this.revisions = revisionInformer(cache, (revision) => [...targetOf(revision)].length > 0);
    this.pods = podInformer(cache);
    // Jobs of gates only: a cluster can have many others.
    this.jobs = cache.informer(jobs, { labelSelector: GATE_LABEL, transform: trimJob });
  }

  /** Undefined when there is no such policy. */
  snapshot(key: string): Omit<Snapshot, 'measured' | 'measuring'> | undefined {
    const policy = this.policies.get(key);
    if (policy === undefined) return undefined;
    const target = this.targets.get(keyOfTarget(policy));
    const owned = <T extends KubeObject>(informer: Informer<T>, owner: KubeObject | undefined): readonly T[] =>
      owner === undefined ? [] : informer.byIndex('ownerUid', owner.metadata.uid);
    return {
      policy,
      target,
      policies: this.policies.byIndex(TARGET, keyOfTarget(policy)),
      revisions: owned(this.revisions, target),
      pods: owned(this.pods, target),
      jobs: owned(this.jobs, policy),
    };
  }

  /** The keys of the policies about this target. */
  readonly policiesAbout = (target: KubeObject): Iterable<string> => this.#keysFor(keyOf(target.metadata));

  /** The keys of the policies about the target that owns this object. */
  readonly policiesOfOwner = (owned: KubeObject): Iterable<string> => {
    if (this.policies.list().length === 0) return []; // most pods have nothing to do with a policy
    return [...targetOf(owned)].flatMap((key) => this.#keysFor(key));
  };

  /** The keys of all policies with the target of this one: when it goes, another one may govern. */
  readonly siblings = (policy: RolloutPolicy): Iterable<string> => this.#keysFor(keyOfTarget(policy));

  #keysFor(target: string): string[] {
    return this.policies.byIndex(TARGET, target).map(({ metadata }) => keyOf(metadata));
  }
}
