// The body of a test on a real node: it plays in a fresh namespace, and what the API server records meanwhile is held to the
// promises of a rollout, at every event.

import { expect } from '@jest/globals';
import { createNamespace, podsAreWelcome } from '../../support/namespace.ts';
import { type RolloutWatch, watchRollouts } from '../../support/rollout-watch.ts';
import type { RealCluster } from './real-cluster.ts';
import { WebServers } from './web-servers.ts';

export interface Story {
  readonly namespace: string;
  readonly web: WebServers;
  readonly watch: RolloutWatch;
}

let stories = 0;

/** A test body: plays the story, then checks that no rollout broke a promise meanwhile. */
export function storyOn(real: RealCluster, play: (story: Story) => Promise<void>): () => Promise<void> {
  return async () => {
    const { client } = real.cluster;
    const namespace = `story-${stories++}`;
    await createNamespace(client, namespace);
    await podsAreWelcome(client, namespace);
    const watch = await watchRollouts(client, namespace);
    let broken: readonly string[] = [];
    try {
      await play({ namespace, web: new WebServers(real, namespace), watch });
    } finally {
      broken = await watch.close();
    }
    expect(broken).toEqual([]);
  };
}
