// Where end-to-end tests play: a cluster of their own with our operator on it, installed from the shipped manifests and
// signed in with the rights that those give. Each test gets a scene (scene.ts) in a namespace of its own, and while it
// plays every rollout in it is held to its promises, at every event.

import { afterAll } from '@jest/globals';
import { installOperator, type LocalOperator, type OperatorSetup, startOperator } from '../../src/local/operator.ts';
import { INSTALLATION } from '../../src/operator/names.ts';
import type { Cluster, ClusterOptions } from '../../src/testing/index.ts';
import { type TestCluster, useOwnCluster } from '../support/cluster.ts';
import { watchRollouts } from '../support/rollout-watch.ts';
import { Scene } from './scene.ts';

export interface Stage extends TestCluster {
  readonly cluster: Cluster;
  /** A test body: plays in a fresh namespace, then checks that no rollout broke a promise meanwhile. */
  scene(play: (scene: Scene) => Promise<void>): () => Promise<void>;
  /** The running operator; a stopped one can be replaced by `startOperator`. */
  readonly operator: LocalOperator;
  startOperator(other?: OperatorSetup): Promise<LocalOperator>;
}

export interface StageOptions extends ClusterOptions {
  readonly name: string;
  readonly operator?: OperatorSetup;
  /** A second replica beside the operator, as the manifests have it; one of the two leads. @default false */
  readonly standby?: boolean;
}

/** Sets a stage for the calling test file; it is cleared when the file is done. */
export async function useStage({ operator: asked = {}, standby = false, ...options }: StageOptions): Promise<Stage> {
  const setup = standby ? { ...asked, flags: [...(asked.flags ?? []), '--leader-elect'] } : asked;
  let operator: LocalOperator | undefined;
  let second: LocalOperator | undefined;
  // Before the cluster goes, whose own clean-up is registered next.
  afterAll(() => Promise.all([operator?.stop(), second?.stop()]));
  const own = await useOwnCluster(options);
  await installOperator(own.cluster);
  if (setup.webhooks === false) await removeWebhooks(own);
  const start = async (other: OperatorSetup = {}): Promise<LocalOperator> => {
    operator = await startOperator(own.cluster, { ...setup, ...other });
    return operator;
  };
  // The garbage collector would learn of new kinds within half a minute; a restarted one knows them at once.
  await Promise.all([start(), own.cluster.restart('kube-controller-manager')]);
  if (standby) second = await startOperator(own.cluster, { ...setup, name: 'standby' });
  return {
    ...own,
    get operator() {
      return operator as LocalOperator;
    },
    startOperator: start,
    scene: (play) => () => inScene(own, play),
  };
}

/** What a person does who runs the operator with ENABLE_WEBHOOKS=false: an API server must not call what is not there. */
async function removeWebhooks({ kubectl }: TestCluster): Promise<void> {
  await kubectl(['delete', 'mutatingwebhookconfiguration', INSTALLATION.mutatingWebhooks]);
  await kubectl(['delete', 'validatingwebhookconfiguration', INSTALLATION.validatingWebhooks]);
}

async function inScene(cluster: TestCluster, play: (scene: Scene) => Promise<void>): Promise<void> {
  const namespace = await cluster.namespace();
  const watch = await watchRollouts(cluster.client, namespace);
  let broken: readonly string[] = [];
  try {
    await play(new Scene(cluster, namespace, watch));
  } finally {
    broken = await watch.close();
  }
  if (broken.length > 0) throw new Error(`${broken.length} promises were broken, the first: ${broken[0]}`);
}
