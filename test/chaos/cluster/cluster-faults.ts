// What can befall the whole cluster: the API server restarts, or comes back slowly; etcd stands still; certificates are
// replaced. No other run may use the cluster meanwhile.

import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, Faults } from './faults.ts';

const server: Readonly<Record<string, Fault>> = {
  'API server restart': async ({ lane: { cluster } }) => cluster.restart('kube-apiserver'),
  'API server away, then slow': async ({ lane: { cluster } }, chance) => {
    const old = cluster.process('kube-apiserver');
    await old.kill();
    await delay(chance.between(500, 4_000));
    const restarted = cluster.restart('kube-apiserver');
    while (cluster.process('kube-apiserver') === old) await delay(50);
    const starting = cluster.process('kube-apiserver');
    await delay(chance.between(200, 2_500));
    starting.signal('STOP');
    await delay(chance.between(500, 3_000));
    starting.signal('CONT');
    await restarted;
  },
  'API server stall': async ({ lane: { cluster } }, chance) => {
    cluster.process('kube-apiserver').signal('STOP');
    await delay(chance.between(500, 5_000));
    cluster.process('kube-apiserver').signal('CONT');
  },
  'etcd stall': async ({ lane: { cluster } }, chance) => {
    cluster.process('etcd').signal('STOP');
    await delay(chance.between(500, 6_000));
    cluster.process('etcd').signal('CONT');
  },
  'new serving certificate': async ({ lane: { cluster, proxy, network } }) => {
    await cluster.pki.rotateServing();
    await proxy.readCertificate();
    network.cut('close');
  },
};

export const CLUSTER_FAULTS: Faults = { server };
