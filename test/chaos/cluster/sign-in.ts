// How the operators of a lane sign in: with a token of the installed ServiceAccount in a file of their own, so that one
// lane's token can expire while the others' stay good.

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import { requestToken } from '../../support/namespace.ts';

export class SignIn {
  readonly kubeconfig: string;
  /** The token that is in the file now. */
  token = '';
  readonly #cluster: Cluster;
  readonly #tokenFile: string;

  private constructor(cluster: Cluster, name: string) {
    this.#cluster = cluster;
    this.#tokenFile = join(cluster.home, `${name}.token`);
    this.kubeconfig = join(cluster.home, `${name}.kubeconfig`);
  }

  /** For operators that reach the API server at this address. */
  static async at(server: string, cluster: Cluster, name: string): Promise<SignIn> {
    const signIn = new SignIn(cluster, name);
    await signIn.renew();
    await writeFile(signIn.kubeconfig, stringify(signIn.#access(server)), { mode: 0o600 });
    return signIn;
  }

  /** Puts another token into the file; it is found by those who look again. */
  async renew(): Promise<void> {
    const { namespace, serviceAccount } = INSTALLATION;
    this.token = await requestToken(this.#cluster.client, namespace, serviceAccount);
    // As the kubelet does, so that the operator never reads half a token.
    await writeFile(`${this.#tokenFile}.next`, this.token, { mode: 0o600 });
    await rename(`${this.#tokenFile}.next`, this.#tokenFile);
  }

  #access(server: string): object {
    const ca = Buffer.from(this.#cluster.ca).toString('base64');
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'lane', cluster: { server, 'certificate-authority-data': ca } }],
      users: [{ name: 'operator', user: { tokenFile: this.#tokenFile } }],
      contexts: [{ name: 'lane', context: { cluster: 'lane', user: 'operator' } }],
      'current-context': 'lane',
    };
  }
}
