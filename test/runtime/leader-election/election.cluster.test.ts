// The promise of leader election on a real API server, between real processes: the leader is killed, stopped and frozen,
// and the API server's own audit log shows that nobody ever wrote beside the leader.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { configMaps } from '../../../src/runtime/built-in.ts';
import { leases } from '../../../src/runtime/leader-election/lease.ts';
import { useOwnCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const CONTENDER = fileURLToPath(new URL('./contender.ts', import.meta.url));

const { client, cluster, kubeconfig } = await useOwnCluster({ name: 'election', audit: true, nodes: 0 });
const namespace = 'default';

/** A replica in a process of its own. */
class Contender {
  readonly name: string;
  readonly words: string[] = [];
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;

  constructor(lease: string, name: string) {
    this.name = name;
    this.#child = spawn(process.execPath, [CONTENDER, kubeconfig, namespace, lease, name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (word) => this.words.push(word));
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
    });
  }

  signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  async said(word: string): Promise<void> {
    await eventually(() => expect(this.words).toContain(word));
  }
}

interface Write {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
}

/** Every write to this lease's ConfigMap that the API server accepted, in the order in which it answered. */
function writesTo(lease: string): Write[] {
  return readFileSync(`${cluster.home}/logs/audit.log`, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"resource":"configmaps"') && line.includes(`"name":"${lease}"`))
    .map((line) => JSON.parse(line))
    .filter(({ verb, userAgent, responseStatus }) => {
      return verb === 'patch' && userAgent.startsWith('contender') && responseStatus.code < 300;
    })
    .map(({ userAgent, requestReceivedTimestamp, stageTimestamp }) => ({
      writer: userAgent,
      from: microseconds(requestReceivedTimestamp),
      to: microseconds(stageTimestamp),
    }))
    .sort((a, b) => a.from - b.from);
}

/** `2026-05-17T08:05:03.042123Z`: a Date would drop the last three digits. */
function microseconds(timestamp: string): number {
  const [seconds = '', fraction = ''] = timestamp.replace('Z', '').split('.');
  return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

describe('of two replicas only the leader writes', () => {
  let contenders: Contender[] = [];
  let lease: string;

  beforeEach(async () => {
    lease = `lease-${contenders.length}-${Math.random().toString(36).slice(2, 8)}`;
    await client.create(configMaps, { metadata: { namespace, name: lease } });
  });

  afterEach(async () => {
    for (const contender of contenders) contender.signal('SIGKILL');
    await Promise.all(contenders.map((contender) => contender.exited));
    contenders = [];
  });

  const start = (name: string): Contender => {
    const contender = new Contender(lease, name);
    contenders.push(contender);
    return contender;
  };
  const wroteAtLeast = (name: string, count: number): Promise<void> =>
    eventually(() => {
      expect(writesTo(lease).filter(({ writer }) => writer === name).length).toBeGreaterThan(count);
    });

  const leaderAndStandby = async (): Promise<[Contender, Contender]> => {
    const leader = start('contender-a');
    await leader.said('leading');
    const standby = start('contender-b');
    await standby.said('started');
    await wroteAtLeast(leader.name, 20);
    return [leader, standby];
  };

  /** First all writes of one, then all of the other; prints how long nobody wrote. */
  const expectHandOver = (how: string): void => {
    const writes = writesTo(lease);
    const first = writes.findIndex(({ writer }) => writer === 'contender-b');
    const [before, after] = [writes.slice(0, first), writes.slice(first)];
    expect(new Set(before.map(({ writer }) => writer))).toEqual(new Set(['contender-a']));
    expect(new Set(after.map(({ writer }) => writer))).toEqual(new Set(['contender-b']));
    const lastOfOld = Math.max(...before.map(({ to }) => to));
    const firstOfNew = Math.min(...after.map(({ from }) => from));
    expect(firstOfNew).toBeGreaterThan(lastOfOld);
    console.info(`takeover after ${how}: ${((firstOfNew - lastOfOld) / 1e6).toFixed(2)} s (lease 4 s, retry 0.5 s)`);
  };

  it('when the leader is killed', async () => {
    const [leader, standby] = await leaderAndStandby();
    leader.signal('SIGKILL');
    await standby.said('leading');
    await wroteAtLeast(standby.name, 20);
    expectHandOver('kill -9');
    const { spec } = await client.get(leases, { namespace, name: lease });
    expect(spec).toMatchObject({ holderIdentity: standby.name, leaseTransitions: 1, leaseDurationSeconds: 4 });
    expect(spec?.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('when the leader is told to stop', async () => {
    const [leader, standby] = await leaderAndStandby();
    leader.signal('SIGTERM');
    expect(await leader.exited).toBe(0);
    expect(leader.words).toEqual(['started', 'leading', 'stopped']);
    await standby.said('leading');
    await wroteAtLeast(standby.name, 20);
    expectHandOver('SIGTERM');
  });

  it('when the leader is frozen for longer than its lease, and wakes', async () => {
    const [leader, standby] = await leaderAndStandby();
    leader.signal('SIGSTOP');
    await standby.said('leading');
    await wroteAtLeast(standby.name, 20);
    leader.signal('SIGCONT');
    expect(await leader.exited).toBe(1);
    expect(leader.words).toEqual(['started', 'leading', 'LeadershipLost']);
    await wroteAtLeast(standby.name, 60);
    expectHandOver('SIGSTOP');
  });
});
