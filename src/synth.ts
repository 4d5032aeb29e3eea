// The cdk8s app behind `cdk8s synth` and `make synth`: one chart, hence one file in crds/, for each kind.
// Nothing here may import generated TypeScript: types and typed constructs are made from what this writes.

import { App, Chart } from 'cdk8s';
import { myDeployment } from './kinds/my-deployment/schema.ts';
import { CustomResourceDefinition } from './operator/crd.ts';

const kinds = [myDeployment];

const app = new App({ outdir: process.env.CDK8S_OUTDIR ?? 'crds', outputFileExtension: '.yaml' });
for (const kind of kinds) {
  new CustomResourceDefinition(new Chart(app, kind.resource.plural), 'crd', kind);
}
app.synth();
