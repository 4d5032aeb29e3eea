// Objects beside pods and revisions that plans need under some policies only. They are watched from the first such policy on.

import type { RolloutPolicy, RolloutPolicySpecPods } from '../../policy/types.gen.ts';
import { nodes } from '../../runtime/built-in.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Informer } from '../../runtime/cache/informer.ts';
import { LazyInformer } from '../../runtime/cache/lazy-informer.ts';
import { type Node, nodeInformer } from '../../workload/node.ts';
import type { Neighbourhood } from '../../workload/pod-owner.ts';
import type { Snapshot } from './plan/snapshot.ts';

export class OnDemand {
  readonly #nodes: LazyInformer<Node>;

  constructor(cache: Cache, policies: Informer<RolloutPolicy>) {
    const resource = nodes as LazyInformer<Node>['resource'];
    this.#nodes = new LazyInformer({ resource, informer: () => nodeInformer(cache), askers: policies });
    policies.onChange(({ type, object }) => {
      if (type !== 'deleted' && needsNodes(object.spec.pods)) this.#nodes.open();
    });
  }

  /** What a plan under this policy needs of them. */
  seenBy(asked: RolloutPolicySpecPods | undefined, { pods }: Pick<Neighbourhood, 'pods'>): Pick<Snapshot, 'nodes'> {
    if (!needsNodes(asked)) return {};
    const names = new Set(pods.flatMap(({ spec }) => spec?.nodeName ?? []));
    return { nodes: [...names].flatMap((name) => this.#nodes.get(name) ?? []) };
  }
}

function needsNodes(asked: RolloutPolicySpecPods | undefined): boolean {
  return asked?.scaleDown !== undefined;
}
