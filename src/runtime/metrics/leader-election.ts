// `leader_election_*`: which replica leads, and how often a renewal could not overwrite its own last record.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { ElectionObserver } from '../leader-election/options.ts';

export function electionMetrics(registry: Registry): Required<ElectionObserver> {
  const registers = [registry];
  const status = new Gauge({
    name: 'leader_election_master_status',
    help: '1 while this process leads the election of this name, 0 while it stands by',
    labelNames: ['name'],
    registers,
  });
  const slowPath = new Counter({
    name: 'leader_election_slowpath_total',
    help: 'Renewals that had to read the lease first',
    labelNames: ['name'],
    registers,
  });
  return {
    leading: (name, leading) => status.set({ name }, leading ? 1 : 0),
    slowPath: (name) => slowPath.inc({ name }),
  };
}
