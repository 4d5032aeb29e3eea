// What a test on a real node works with: a cluster of its own, whose pods have containers.

import { afterAll } from '@jest/globals';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { describeWith } from '../../support/system-packages.ts';
import { prepareRealNode } from './prepare.ts';

const STOP_WITHIN_MS = 120_000;

export interface RealCluster {
  readonly cluster: Cluster;
  /** Runs kubectl as administrator, and throws unless it succeeds. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  apply(object: object): Promise<void>;
}

/**
 * `describe` with a cluster that has a real node, once `prepare` is through with it, so that its tests may run concurrently; where
 * the machine cannot run one, skipped, and one line says why.
 */
export async function describeOnRealNode(
  name: string,
  prepare: (real: RealCluster) => Promise<unknown>,
  tests: (real: RealCluster) => void,
): Promise<void> {
  const prepared = await prepareRealNode();
  const real = new StartedLater();
  if (prepared.ok) {
    const { programs, realNode } = prepared;
    afterAll(() => real.started?.stop(), STOP_WITHIN_MS);
    real.started = await Cluster.start(programs, { name: `test-${process.pid}`, realNode });
    await prepare(real);
  }
  describeWith(prepared, name, () => tests(real));
}

/** Skipped tests are defined all the same, without a cluster. */
class StartedLater implements RealCluster {
  started: Cluster | undefined;

  get cluster(): Cluster {
    if (this.started === undefined) throw new Error('this machine has no real node');
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
