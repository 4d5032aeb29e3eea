// client-node as its documentation shows it: the typed client, and its informer.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { play } from '../contender.ts';
import { podNamed } from '../measured.ts';

function signIn(kubeconfig: string): { config: KubeConfig; api: CoreV1Api } {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return { config, api: config.makeApiClient(CoreV1Api) };
}

await play({
  async create(kubeconfig, namespace) {
    const { api } = signIn(kubeconfig);
    return (name) => api.createNamespacedPod({ namespace, body: podNamed(namespace, name) });
  },
  async sync(kubeconfig) {
    const { config, api } = signIn(kubeconfig);
    const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
    await informer.start();
    return () => informer.list().length;
  },
});
