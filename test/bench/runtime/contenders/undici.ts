// The limit: a bare pool of sockets, JSON in and out, and nothing else.

import { Pool } from 'undici';
import { readKubeconfig } from '../../../../src/runtime/client/access.ts';
import { CredentialReader } from '../../../../src/runtime/client/credentials.ts';
import { play } from '../contender.ts';
import { podNamed } from '../measured.ts';

const SOCKETS = 64;

await play({
  async create(kubeconfig, namespace) {
    const access = await readKubeconfig([kubeconfig]);
    const { tls } = await new CredentialReader(access).read();
    const pool = new Pool(access.cluster.server, { connections: SOCKETS, connect: tls });
    const [path, headers] = [`/api/v1/namespaces/${namespace}/pods`, { 'content-type': 'application/json' }];
    return async (name) => {
      const body = JSON.stringify(podNamed(namespace, name));
      const answer = await pool.request({ method: 'POST', path, headers, body });
      const pod = await answer.body.json();
      if (answer.statusCode !== 201) throw new Error(`creating ${name}: ${JSON.stringify(pod)}`);
      return pod;
    };
  },
});
