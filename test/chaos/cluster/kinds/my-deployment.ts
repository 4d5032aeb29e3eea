// The scenarios of a MyDeployment: create, scale both ways, roll, roll over, undo, pause, recreate, adopt, delete. Small
// ones: every write of theirs is a point to crash at.

import { myDeployments } from '../../../../src/kinds/my-deployment/names.ts';
import { ROLLBACK_TO } from '../../../../src/kinds/my-deployment/plan/rollback.ts';
import type { MyDeployment } from '../../../../src/kinds/my-deployment/types.gen.ts';
import { controllerOf, type Manifest } from '../../../../src/runtime/object.ts';
import type { Pod } from '../../../../src/workload/pod.ts';
import type { Labels } from '../../../../src/workload/selector.ts';
import { controllerRevisions, pods } from '../../../../src/workload/write-context.ts';
import { isActive } from '../../../support/pod-facts.ts';
import { type RolloutWatch, watchRollouts } from '../../../support/rollout-watch.ts';
import { type Place, type Scenario, scenariosOf } from '../scenario.ts';
import { mustBe, mustReport, Subject } from '../subject.ts';

/** A MyDeployment of web servers, watched from before it exists. */
export class Web extends Subject<MyDeployment> {
  readonly watch: RolloutWatch;

  constructor(place: Place, watch: RolloutWatch, name?: string) {
    super(place, myDeployments, name);
    this.watch = watch;
  }

  static async enter(place: Place): Promise<Web> {
    return new Web(place, await watchRollouts(place.client, place.namespace));
  }

  create(replicas: number, change: object = {}): Promise<MyDeployment> {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
    const strategy = { type: 'RollingUpdate', rollingUpdate };
    const { name } = this.ref;
    const template = { metadata: { labels: { app: name } }, ...image('v1').template };
    return this.make({ replicas, selector: { matchLabels: { app: name } }, template, strategy, ...change });
  }

  async running(replicas: number, change: object = {}): Promise<void> {
    await this.create(replicas, change);
    await this.complete();
  }

  undo(): Promise<MyDeployment> {
    return this.patch({ metadata: { annotations: { [ROLLBACK_TO]: '0' } } });
  }

  /** A pod without an owner that the MyDeployment selects: a user's, unless its labels say of which revision it is. */
  addPod(name: string, labels: Labels = {}): Promise<Pod> {
    const spec = { containers: [{ name: 'web', image: 'web:v0' }] };
    const metadata = { namespace: this.namespace, name, labels: { ...labels, app: this.ref.name } };
    return this.client.create(pods, { metadata, spec } as unknown as Manifest<Pod>);
  }

  /** Leaves pods and revisions behind that a MyDeployment of this name had. */
  async abandoned(replicas: number): Promise<void> {
    await this.running(replicas);
    await this.delete('Orphan');
    await this.until(async () => {
      const present = await this.list(myDeployments);
      mustBe('MyDeployments', present.length, 0);
    });
  }

  /** Waits until all replicas are of the newest template and available, and no other pods of ours are left. */
  async complete(): Promise<void> {
    await this.until(async () => mustBeComplete(await this.get(), await this.list(pods)));
  }

  /** Waits until every MyDeployment of the namespace is complete; a crowd is looked at in one go. */
  async allComplete(): Promise<void> {
    await this.until(async () => {
      const every = await this.list(myDeployments);
      const present = await this.list(pods);
      for (const each of every) mustBeComplete(each, present);
    });
  }

  async imageBecomes(wanted: string): Promise<void> {
    await this.until(async () => {
      const { spec } = await this.get();
      mustBe('image', spec.template.spec?.containers[0]?.image, wanted);
    });
    await this.complete();
  }

  close(unelected = false): Promise<readonly string[]> {
    return this.watch.close('everything', { overlapped: unelected, unelected });
  }
}

function mustBeComplete(web: MyDeployment, present: readonly Pod[]): void {
  const { name, uid } = web.metadata;
  const replicas = web.spec.replicas as number;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  mustReport(web, { ...counts, unavailableReplicas: 0, terminatingReplicas: 0 });
  const active = present.filter((pod) => isActive(pod) && controllerOf(pod)?.uid === uid);
  mustBe(`${name}: active pods`, active.length, replicas);
}

/** A change of the spec to another version. */
/** JSON encoders write these characters in different ways; a stored revision must stay the same all the same. */
const ARGUMENT = 'a <b >c && d \u2028 名前';

export function image(version: string): { template: object } {
  return { template: { spec: { containers: [{ name: 'web', image: `web:${version}`, args: [ARGUMENT] }] } } };
}

export const myDeploymentScenarios: readonly Scenario[] = scenariosOf('MyDeployment', Web.enter, [
  { name: 'create', act: (web) => web.create(3) },
  { name: 'scale up', prepare: (web) => web.running(2), act: (web) => web.change({ replicas: 4 }) },
  { name: 'scale down', prepare: (web) => web.running(4), act: (web) => web.change({ replicas: 2 }) },
  { name: 'roll', prepare: (web) => web.running(3), act: (web) => web.change(image('v2')) },
  {
    name: 'roll over',
    prepare: (web) => web.running(3),
    act: async (web) => {
      await web.change(image('v2'));
      await web.change(image('v3'));
    },
  },
  {
    name: 'undo',
    prepare: async (web) => {
      await web.running(2);
      await web.change(image('v2'));
      await web.complete();
    },
    act: (web) => web.undo(),
    rest: (web) => web.imageBecomes('web:v1'),
  },
  {
    name: 'pause',
    prepare: (web) => web.running(2),
    act: (web) => web.change({ paused: true, replicas: 4, ...image('v2') }),
    rest: async (web) => {
      await web.reach({ replicas: 4, availableReplicas: 4, updatedReplicas: 0 });
    },
    afterwards: (web) => web.change({ paused: false }),
  },
  {
    name: 'recreate',
    prepare: (web) => web.running(2, { strategy: { type: 'Recreate' } }),
    act: (web) => web.change(image('v2')),
  },
  {
    name: 'adopt',
    prepare: (web) => Promise.all([web.abandoned(2), web.addPod('bare')]),
    act: (web) => web.create(2),
  },
  {
    name: 'delete',
    prepare: (web) => web.running(3),
    act: (web) => web.delete(),
    rest: (web) => web.goneWith(pods, controllerRevisions),
  },
]);
