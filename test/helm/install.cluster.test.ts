// The life of a release with real Helm on a real API server: install, upgrade, rollback, uninstall. kwok plays the nodes, so
// the operator's pods become ready without running.

import { expect, it } from '@jest/globals';
import { localhostCertificate } from '../support/certificates.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { describeWithTool } from '../support/tools.ts';
import { CHART, helmAt } from './helm.ts';

const cluster = await useOwnCluster({ name: 'helm' });

const RELEASE = 'md';
const NAMESPACE = 'operators';
const MANAGER = 'deployment/mydeployment-controller-manager';

await describeWithTool('helm', 'a release of the chart', (program) => {
  it('is installed, upgraded, rolled back and uninstalled, and leaves objects of users alone', async () => {
    const { kubeconfig, kubectl } = cluster;
    const helm = helmAt(program, kubeconfig);
    const release = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await helm(...args, '--namespace', NAMESPACE);
      // Helm's client logs a watch that ends with the wait, so standard error may have lines on success.
      if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const ask = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await kubectl(['-n', NAMESPACE, ...args]);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    const manager = (path: string): Promise<string> => ask('get', MANAGER, '-o', `jsonpath={${path}}`);

    const notes = await release('install', RELEASE, CHART, '--create-namespace', '--wait', '--timeout=90s');
    expect(notes).toContain(
      `The MyDeployment operator (mydeployment:0.1.0) is installed in the namespace ${NAMESPACE}.`,
    );
    expect(await manager('.status.readyReplicas')).toBe('2');
    expect(await ask('get', 'crds', '-o', 'name')).toContain('/mydeployments.kubebuilder.zq.com');

    // The operator writes the CA of its certificate like this. Upgrades leave it alone.
    const caBundle = Buffer.from((await localhostCertificate()).ca).toString('base64');
    const webhook = 'validatingwebhookconfiguration/mydeployment-validating-webhook-configuration';
    const patch = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }];
    await ask('patch', webhook, '--type=json', `--patch=${JSON.stringify(patch)}`);

    const changed = ['--set', 'replicas=3,kinds={MyDeployment},podLabels.tier=control'];
    const upgraded = ['--set', 'image=registry.example.com/operator:2', ...changed];
    await release('upgrade', RELEASE, CHART, ...upgraded, '--wait', '--timeout=90s');
    expect(await manager('.spec.replicas')).toBe('3');
    expect(await manager('.spec.template.spec.containers[0].image')).toBe('registry.example.com/operator:2');
    expect(await manager('.spec.template.metadata.labels.tier')).toBe('control');
    expect(await ask('get', 'clusterroles', '-o', 'name')).not.toContain('mydeployment-collector-editor-role');
    expect(await ask('get', webhook, '-o', 'jsonpath={.webhooks[0].clientConfig.caBundle}')).toBe(caBundle);

    const refused = await helm('upgrade', RELEASE, CHART, '--namespace', NAMESPACE, '--set', 'replicas=none');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("at '/replicas': got string") });
    expect(await manager('.spec.replicas')).toBe('3');

    await release('rollback', RELEASE, '1', '--wait', '--timeout=90s');
    expect(await manager('.spec.replicas')).toBe('2');
    expect(await manager('.spec.template.spec.containers[0].image')).toBe('mydeployment:0.1.0');
    expect(await manager('.spec.template.metadata.labels.tier')).toBe('');
    expect(await ask('get', 'clusterroles', '-o', 'name')).toContain('mydeployment-collector-editor-role');
    expect(await ask('get', webhook, '-o', 'jsonpath={.webhooks[0].clientConfig.caBundle}')).toBe(caBundle);

    await release('uninstall', RELEASE, '--wait');
    const left = await ask('get', 'clusterroles,clusterrolebindings,all,roles,secrets', '-o', 'name');
    expect(left).not.toContain('mydeployment');
    expect(await ask('get', 'crds', '-o', 'name')).toContain('/mydeployments.kubebuilder.zq.com');
  });
});
