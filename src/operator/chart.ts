// The whole installation of the operator as one chart, so that another cdk8s app installs it in three lines. Its parts
// are in the order in which they have to be applied.

import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Access } from './access.ts';
import { CertManagerCertificates, SelfManagedCertificates } from './certificates.ts';
import { CustomResourceDefinition } from './crd.ts';
import { Home } from './home.ts';
import { Manager } from './manager.ts';
import { Monitoring } from './monitoring.ts';
import { LABELS } from './names.ts';
import { Personas } from './personas.ts';
import type { OperatorProps } from './props.ts';
import { settingsOf } from './settings.ts';
import { Webhooks } from './webhooks.ts';

/** Installs the operator: `new OperatorChart(app, 'mydeployment', { image })`. */
export class OperatorChart extends Chart {
  constructor(scope: Construct, id: string, props: OperatorProps) {
    super(scope, id, { labels: LABELS });
    const settings = settingsOf(this.node.path, props);
    if (props.includeCrds) {
      const crds = new Construct(this, 'crds');
      for (const { definition } of settings.kinds) {
        new CustomResourceDefinition(crds, definition.resource.plural, definition);
      }
    }
    new Home(this, 'namespace', settings);
    const { account } = new Access(this, 'access', settings);
    new Personas(this, 'personas', settings.kinds);
    if (settings.certificates === 'cert-manager') new CertManagerCertificates(this, 'certificates', settings);
    else if (settings.webhooks) new SelfManagedCertificates(this, 'certificates', account);
    new Manager(this, 'manager', settings, account);
    if (settings.metrics) new Monitoring(this, 'monitoring', settings);
    if (settings.webhooks) new Webhooks(this, 'webhooks', settings);
  }
}
