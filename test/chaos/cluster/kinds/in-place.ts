// The scenarios of changes in place: an image and a size that pods get while they run. An operator that dies anywhere on the way has
// to finish them in the pods that were there.

import { rolloutPolicies } from '../../../../src/policy/resource.ts';
import type { RolloutPolicy } from '../../../../src/policy/types.gen.ts';
import { IN_PLACE } from '../../../../src/workload/in-place/names.ts';
import type { Pod } from '../../../../src/workload/pod.ts';
import { pods } from '../../../../src/workload/write-context.ts';
import { watchRollouts } from '../../../support/rollout-watch.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';
import { Web } from './my-deployment.ts';

/** Two replicas, of which one may be unavailable: each pod leaves its Services, is changed, and may serve again. */
class ChangedInPlace extends Web {
  #before: readonly string[] = [];

  static override async enter(place: Place): Promise<ChangedInPlace> {
    return new ChangedInPlace(place, await watchRollouts(place.client, place.namespace));
  }

  async governed(): Promise<void> {
    const policy = new Subject<RolloutPolicy>(this, rolloutPolicies);
    const inPlace = { mode: 'IfPossible', gracePeriod: '1s' };
    await policy.make({ targetRef: { name: 'web' }, pods: { inPlace } });
    // Pods get the readiness gate when they are created, so the operator has to know the policy by then.
    await this.until(async () => mustBe('observed', (await policy.get()).status?.observedGeneration, 1));
    await this.running(2, version('v1', '50m'));
    this.#before = await this.#identities();
  }

  /** Waits until the pods that were there are as the template says. */
  async isChanged(tag: string, cpu: string): Promise<void> {
    await this.until(async () => {
      await this.reach({ replicas: 2, updatedReplicas: 2, availableReplicas: 2, terminatingReplicas: 0 });
      for (const { metadata, spec } of await this.owned(pods)) {
        const [container] = spec?.containers ?? [];
        mustBe(`${metadata.name}: image`, container?.image, `web:${tag}`);
        mustBe(`${metadata.name}: CPU`, container?.resources?.requests?.cpu, cpu);
        mustBe(`${metadata.name}: change under way`, metadata.annotations?.[IN_PLACE], undefined);
      }
    });
    mustBe('pods', (await this.#identities()).join(), this.#before.join());
  }

  async #identities(): Promise<readonly string[]> {
    return (await this.owned<Pod>(pods)).map(({ metadata }) => `${metadata.name} ${metadata.uid}`).toSorted();
  }
}

function version(tag: string, cpu: string): { template: object } {
  const container = { name: 'web', image: `web:${tag}`, resources: { requests: { cpu } } };
  return { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } } };
}

export const inPlaceScenarios: readonly Scenario[] = scenariosOf('in place', ChangedInPlace.enter, [
  {
    name: 'image',
    prepare: (web) => web.governed(),
    act: (web) => web.change(version('v2', '50m')),
    rest: (web) => web.isChanged('v2', '50m'),
  },
  {
    name: 'image and size',
    prepare: (web) => web.governed(),
    act: (web) => web.change(version('v2', '100m')),
    rest: (web) => web.isChanged('v2', '100m'),
  },
]);
