// The scenarios of a RolloutPolicy: a canary that waits, is promoted, aborted and tried again, and one that is taken back by itself.

import type { MyDeployment } from '../../../../src/kinds/my-deployment/types.gen.ts';
import {
  ABORT,
  formatRequest,
  PROMOTE,
  RETRY,
  type Request,
  type RequestKey,
} from '../../../../src/policy/requests.ts';
import { rolloutPolicies } from '../../../../src/policy/resource.ts';
import type { RolloutPolicy } from '../../../../src/policy/types.gen.ts';
import { pods } from '../../../../src/runtime/built-in.ts';
import { findCondition } from '../../../../src/runtime/conditions.ts';
import { BEHAVIOUR } from '../../../../src/testing/index.ts';
import { isActive } from '../../../support/pod-facts.ts';
import { watchRollouts } from '../../../support/rollout-watch.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';
import { image, Web } from './my-deployment.ts';

const SPEC: RolloutPolicy['spec'] = {
  targetRef: { name: 'web' },
  steps: [{ replicas: 1, pause: { until: 'Promoted' } }],
  rollback: {},
};
const CRASHING = { metadata: { annotations: { [BEHAVIOUR]: 'crash' } } };

/** Three replicas under a policy that stops at one new pod and asks. */
class Governed extends Web {
  static override async enter(place: Place): Promise<Governed> {
    return new Governed(place, await watchRollouts(place.client, place.namespace));
  }

  get #policy(): Subject<RolloutPolicy> {
    return new Subject<RolloutPolicy>(this, rolloutPolicies);
  }

  async governed(): Promise<void> {
    await this.#policy.make(SPEC);
    await this.running(3);
  }

  async atCanary(): Promise<void> {
    await this.governed();
    await this.change(image('v2'));
    await this.waits();
  }

  crash(): Promise<MyDeployment> {
    return this.change({ template: { ...image('v2').template, ...CRASHING } });
  }

  ask(key: RequestKey, request: Request): Promise<RolloutPolicy> {
    return this.#policy.patch({ metadata: { annotations: { [key]: formatRequest(request) } } });
  }

  /** The rollout goes on natively. */
  async letGo(): Promise<void> {
    await this.#policy.delete('Background');
  }

  waits(): Promise<void> {
    return this.#rests('Reconciling', 'AwaitingPromotion', 'web:v1 web:v1 web:v2');
  }

  isBack(): Promise<void> {
    return this.#rests('Stalled', 'RevisionRejected', 'web:v1 web:v1 web:v1');
  }

  #rests(type: string, reason: string, images: string): Promise<void> {
    return this.until(async () => {
      const { status } = await this.reach({
        replicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        terminatingReplicas: 0,
      });
      mustBe(type, findCondition(status?.conditions, type)?.reason, reason);
      const active = (await this.owned(pods)).filter((pod) => isActive(pod as Parameters<typeof isActive>[0]));
      mustBe(
        'images',
        active
          .map(({ spec }) => spec?.containers[0]?.image)
          .sort()
          .join(' '),
        images,
      );
    });
  }
}

export const rolloutPolicyScenarios: readonly Scenario[] = scenariosOf('RolloutPolicy', Governed.enter, [
  {
    name: 'canary',
    prepare: (web) => web.governed(),
    act: (web) => web.change(image('v2')),
    rest: (web) => web.waits(),
    afterwards: (web) => web.ask(PROMOTE, { number: 2, step: 1 }),
  },
  { name: 'promote', prepare: (web) => web.atCanary(), act: (web) => web.ask(PROMOTE, { number: 2, step: 1 }) },
  {
    name: 'abort',
    prepare: (web) => web.atCanary(),
    act: (web) => web.ask(ABORT, { number: 2 }),
    rest: (web) => web.isBack(),
    afterwards: (web) => web.letGo(),
  },
  {
    name: 'retry',
    prepare: async (web) => {
      await web.atCanary();
      await web.ask(ABORT, { number: 2 });
      await web.isBack();
    },
    act: (web) => web.ask(RETRY, { number: 2 }),
    rest: (web) => web.waits(),
    afterwards: (web) => web.ask(PROMOTE, { number: 3, step: 1 }),
  },
  {
    name: 'go back',
    prepare: (web) => web.governed(),
    act: (web) => web.crash(),
    rest: (web) => web.isBack(),
    afterwards: async (web) => {
      await web.change({ template: { metadata: { annotations: null }, ...image('v3').template } });
      await web.letGo();
    },
  },
]);
