// The scenarios of a Collector that observes a MyDeployment while that is scaled and rolled, and of one that is pointed
// elsewhere or deleted. What it counts was there: no event twice, no change twice, nothing still open at the end.

import { collectors } from '../../../../src/kinds/collector/names.ts';
import type { Collector } from '../../../../src/kinds/collector/types.gen.ts';
import type { Recorded } from '../../../support/rollout-promises.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, Subject } from '../subject.ts';
import { image, Web } from './my-deployment.ts';

const TYPES = { added: 'ADDED', modified: 'MODIFIED', deleted: 'DELETED' } as const;

class Counter extends Subject<Collector> {
  readonly web: Web;

  private constructor(place: Place, web: Web) {
    super(place, collectors, 'counter');
    this.web = web;
  }

  static async enter(place: Place): Promise<Counter> {
    return new Counter(place, await Web.enter(place));
  }

  create(): Promise<Collector> {
    return this.make({ target: { kind: 'MyDeployment', name: 'web' }, quietSeconds: 1 });
  }

  async observing(): Promise<void> {
    await this.web.running(2);
    await this.create();
    await this.complete();
  }

  /** All that was done is over, and told as over. */
  async complete(): Promise<void> {
    await this.web.complete();
    await this.until(async () => {
      const { metadata, spec, status } = await this.get();
      mustBe('observedGeneration', status?.observedGeneration, metadata.generation);
      mustBe('targets', status?.targets, spec.target.name === 'web' ? 1 : 0);
      mustBe('open changes', status?.changes?.filter(({ state }) => state === 'Open').length ?? 0, 0);
      this.#judge(status);
    });
  }

  close(): Promise<readonly string[]> {
    return this.web.close();
  }

  /** A crash may lose what was not written yet; it must not make more of it. */
  #judge({ events = [], changes = [] }: NonNullable<Collector['status']> = {}): void {
    const history: readonly Recorded[] = this.web.watch.history;
    for (const { kind, ...counts } of events) {
      for (const type of ['added', 'modified', 'deleted'] as const) {
        const happened = history.filter((event) => event.kind === kind && event.type === TYPES[type]).length;
        if (counts[type] > happened) throw new Error(`${counts[type]} ${kind}s ${type} counted, ${happened} happened`);
      }
    }
    const generations = changes.map(({ generation }) => generation).filter((generation) => generation !== undefined);
    mustBe('changes that are told twice', generations.length - new Set(generations).size, 0);
  }
}

export const collectorScenarios: readonly Scenario[] = scenariosOf('Collector', Counter.enter, [
  { name: 'create', prepare: (counter) => counter.web.running(2), act: (counter) => counter.create() },
  { name: 'scale', prepare: (counter) => counter.observing(), act: (counter) => counter.web.change({ replicas: 3 }) },
  { name: 'roll', prepare: (counter) => counter.observing(), act: (counter) => counter.web.change(image('v2')) },
  {
    name: 'look elsewhere',
    prepare: (counter) => counter.observing(),
    act: (counter) => counter.change({ target: { name: 'nobody' } }),
  },
  {
    name: 'delete',
    prepare: (counter) => counter.observing(),
    act: (counter) => counter.delete('Background'),
    rest: (counter) => counter.goneWith(),
  },
]);
