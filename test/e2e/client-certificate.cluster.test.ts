// An operator that answers only callers with a certificate (--webhook-client-ca-file), and a real API server, set up as
// docs/install.md says: without a certificate it is refused in the handshake, with one objects are admitted.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { INSTALLATION } from '../../src/operator/names.ts';
import { createAuthority, issueCertificate } from '../../src/runtime/certificates/authority.ts';
import { apiVersionOf } from '../../src/runtime/resource.ts';
import { minimalSpec, type Scene } from './scene.ts';
import { useStage } from './stage.ts';

const folder = await mkdtemp(join(tmpdir(), 'client-certificate-'));
const [callers, admission, kubeconfig] = ['ca.crt', 'admission.yaml', 'webhooks.kubeconfig'].map((name) =>
  join(folder, name),
) as [string, string, string];

const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
const authority = await createAuthority('webhook-callers', validity);
const caller = await issueCertificate(authority, { commonName: 'kube-apiserver' }, { for: 'client' }, validity);

/** Which client certificate the API server shows to which webhook. */
async function showTo(users: readonly object[]): Promise<void> {
  await writeFile(kubeconfig, stringify({ apiVersion: 'v1', kind: 'Config', users }));
}

const configuration = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'WebhookAdmissionConfiguration',
  kubeConfigFile: kubeconfig,
};
const plugins = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'].map((name) => ({ name, configuration }));
await writeFile(callers, authority.cert);
await writeFile(
  admission,
  stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
);
await showTo([]);

const { cluster, scene } = await useStage({
  name: 'client-certificate',
  flags: { 'kube-apiserver': [`--admission-control-config-file=${admission}`] },
  operator: { flags: ['--kinds=mydeployment', `--webhook-client-ca-file=${callers}`] },
});

function apply(web: Scene) {
  const { kind } = myDeployments;
  const manifest = { apiVersion: apiVersionOf(myDeployments), kind, metadata: { name: 'web' }, spec: minimalSpec() };
  return web.tryKubectl(['apply', '-f', '-'], JSON.stringify(manifest));
}

/** The port at which the API server calls the Service; 443 where a kube-proxy leads it to the operator. */
async function webhookPort(): Promise<string> {
  const path = 'jsonpath={.webhooks[0].clientConfig.service.port}';
  const { stdout } = await cluster.kubectl([
    'get',
    'mutatingwebhookconfiguration',
    INSTALLATION.mutatingWebhooks,
    '-o',
    path,
  ]);
  return stdout;
}

it(
  'an API server without a certificate is refused, and admits nothing',
  scene(async (web) => {
    const { code, stderr } = await apply(web);
    // In TLS 1.3 a client may write before it learns of the refusal: it sees the alert, or one of many forms of a
    // closed connection.
    const refused = expect.stringMatching(/failed calling webhook(?!.*connection refused)/);
    expect({ code, stderr }).toEqual({ code: 1, stderr: refused });
  }),
);

it(
  'an API server with a certificate of the CA is answered: objects get their defaults, and work',
  scene(async (web) => {
    const { webhookService, namespace } = INSTALLATION;
    const user = { 'client-certificate': join(folder, 'caller.crt'), 'client-key': join(folder, 'caller.key') };
    await writeFile(user['client-certificate'], caller.cert);
    await writeFile(user['client-key'], caller.key, { mode: 0o600 });
    await showTo([{ name: `${webhookService}.${namespace}.svc:${await webhookPort()}`, user }]);
    await cluster.restart('kube-apiserver');
    expect(await apply(web)).toMatchObject({ code: 0 });
    expect(await web.kubectl('get', 'mydeployment', 'web', '-o', 'yaml')).toContain('dnsPolicy: ClusterFirst');
    await web.complete();
  }),
);
