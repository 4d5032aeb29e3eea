// What a test on a real node works with: a cluster of its own, whose pods have containers.

import { afterAll, beforeAll } from '@jest/globals';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { describeWith } from '../../support/system-packages.ts';
import { prepareRealNode } from './prepare.ts';

const START_WITHIN_MS = 120_000;

export interface RealCluster {
  /** There from the first test on. */
  readonly cluster: Cluster;
  /** Runs kubectl as administrator, and throws unless it succeeds. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  apply(object: object): Promise<void>;
}

/** `describe` with a cluster that has a real node; where the machine cannot run one, skipped, and one line says why. */
export async function describeOnRealNode(name: string, tests: (real: RealCluster) => void): Promise<void> {
  const prepared = await prepareRealNode();
  const real = new StartedLater();
  describeWith(prepared, name, () => {
    beforeAll(async () => {
      if (!prepared.ok) return;
      const { programs, realNode } = prepared;
      real.started = await Cluster.start(programs, { name: `test-${process.pid}`, realNode });
    }, START_WITHIN_MS);
    afterAll(() => real.started?.stop(), START_WITHIN_MS);
    tests(real);
  });
}

class StartedLater implements RealCluster {
  started: Cluster | undefined;

  get cluster(): Cluster {
    if (this.started === undefined) throw new Error('the cluster is started before the first test, not earlier');
    return this.started;
  }

  async kubectl(args: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.cluster.kubectl(args, input === undefined ? {} : { input });
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  }

  async apply(object: object): Promise<void> {
    await this.kubectl(['apply', '-f', '-'], JSON.stringify(object));
  }
}
