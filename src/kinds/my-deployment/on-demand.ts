// Objects beside pods and revisions that plans need under some policies only: nodes and disruption budgets. They are watched from
// the first such policy on.

import type { RolloutPolicy, RolloutPolicySpecPods } from '../../policy/types.gen.ts';
import { nodes } from '../../runtime/built-in.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Change, Informer } from '../../runtime/cache/informer.ts';
import { LazyInformer } from '../../runtime/cache/lazy-informer.ts';
import type { Controller } from '../../runtime/controller/controller.ts';
import { type KubeObject, keyOf } from '../../runtime/object.ts';
import {
  budgetMatters,
  type DisruptionBudget,
  disruptionBudgetInformer,
  disruptionBudgets,
} from '../../workload/disruption-budget.ts';
import { type Node, nodeInformer } from '../../workload/node.ts';
import type { Neighbourhood } from '../../workload/pod-owner.ts';
import type { Snapshot } from './plan/snapshot.ts';

type Asked = RolloutPolicySpecPods | undefined;

export class OnDemand {
  readonly #policies: Informer<RolloutPolicy>;
  readonly #nodes: LazyInformer<Node>;
  readonly #budgets: LazyInformer<DisruptionBudget>;

  constructor(cache: Cache, policies: Informer<RolloutPolicy>) {
    this.#policies = policies;
    const resource = nodes as LazyInformer<Node>['resource'];
    this.#nodes = new LazyInformer({ resource, informer: () => nodeInformer(cache), askers: policies });
    this.#budgets = new LazyInformer({
      resource: disruptionBudgets,
      informer: () => disruptionBudgetInformer(cache),
      askers: policies,
    });
    policies.onChange(({ type, object: { spec } }) => {
      if (type === 'deleted') return;
      if (needsNodes(spec.pods)) this.#nodes.open();
      if (needsBudgets(spec.pods)) this.#budgets.open();
    });
  }

  /** What a plan under this policy needs of them. */
  seenBy(
    asked: Asked,
    { metadata: { namespace = '' } }: KubeObject,
    near: Neighbourhood,
  ): Pick<Snapshot, 'nodes' | 'budgets' | 'neighbours'> {
    if (!needsNodes(asked)) return {};
    const names = new Set(near.pods.flatMap(({ spec }) => spec?.nodeName ?? []));
    const places = [...names].flatMap((name) => this.#nodes.get(name) ?? []);
    const budgets = needsBudgets(asked) ? this.#budgets.byIndex('namespace', namespace) : [];
    return { nodes: places, ...(budgets.length > 0 && { budgets, neighbours: near.allPods }) };
  }

  /** A node that is cordoned or uncordoned, and a budget that changes, wake the MyDeployments whose policies ask for them. */
  wake(controller: Controller): Controller {
    return controller
      .watches(this.#nodes, () => this.#draining(this.#policies.list()), cordonMatters)
      .watches(
        this.#budgets,
        ({ metadata: { namespace = '' } }) => this.#draining(this.#policies.byIndex('namespace', namespace)),
        budgetMatters,
      );
  }

  /** The keys of the targets of those policies that surge on drains. */
  #draining(policies: readonly RolloutPolicy[]): string[] {
    return policies
      .filter(({ spec }) => needsBudgets(spec.pods))
      .map(({ metadata, spec }) => keyOf({ namespace: metadata.namespace as string, name: spec.targetRef.name }));
  }
}

function needsNodes(asked: Asked): boolean {
  return asked?.scaleDown !== undefined || needsBudgets(asked);
}

function needsBudgets(asked: Asked): boolean {
  return asked?.surgeOnDrain === true;
}

/** Scale-downs read labels when there is one: only cordons are a reason to look. */
function cordonMatters(change: Change<Node>): boolean {
  const isCordoned = ({ spec }: Node): boolean => spec?.unschedulable === true;
  const is = isCordoned(change.object);
  return change.type === 'updated' ? isCordoned(change.old) !== is : is;
}
