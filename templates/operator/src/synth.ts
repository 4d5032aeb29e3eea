// The cdk8s app behind `make generate`. It writes crds/, apart because deleting the operator must not delete objects of users, and
// manifests/: namespace, RBAC, webhooks and the operator's Deployment.

import { App, Chart } from 'cdk8s';
import { CustomResourceDefinition, InstallationChart } from 'mydeployment';
import { installationNames } from 'mydeployment/runtime';
import { KINDS } from './kinds.ts';

const crds = new App({ outdir: 'crds', outputFileExtension: '.yaml' });
for (const { definition } of KINDS) {
  new CustomResourceDefinition(
    new Chart(crds, definition.resource.plural),
    'crd',
    definition,
    installationNames('acme'),
  );
}
crds.synth();

const manifests = new App({ outdir: 'manifests', outputFileExtension: '.yaml' });
new InstallationChart(manifests, 'acme', { name: 'acme', kinds: KINDS, image: process.env.IMG || 'acme:0.1.0' });
manifests.synth();
