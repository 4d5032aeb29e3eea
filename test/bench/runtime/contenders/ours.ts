// The runtime's own client, and its cache with pods as the operator keeps them.

import { Cache } from '../../../../src/runtime/cache/cache.ts';
import { readKubeconfig } from '../../../../src/runtime/client/access.ts';
import { type Client, createClient } from '../../../../src/runtime/client/client.ts';
import { Connection } from '../../../../src/runtime/client/connection.ts';
import { podInformer } from '../../../../src/workload/pod-cache.ts';
import { pods } from '../../../../src/workload/write-context.ts';
import { play } from '../contender.ts';
import { podNamed } from '../measured.ts';

const never = new AbortController().signal;

async function signIn(kubeconfig: string): Promise<Client> {
  return createClient(new Connection(await readKubeconfig([kubeconfig])));
}

await play({
  async create(kubeconfig, namespace) {
    const client = await signIn(kubeconfig);
    return (name) => client.create(pods, podNamed(namespace, name) as never);
  },
  async sync(kubeconfig) {
    const cache = new Cache(await signIn(kubeconfig));
    const informer = podInformer(cache);
    void cache.start(never);
    await cache.waitForSync(never);
    return () => informer.list().length;
  },
});
