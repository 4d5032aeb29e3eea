// The installation of an operator as a cdk8s chart. Each part is a child construct, in the order in which parts are to be applied.
// The CRDs are installed apart, unless the props include them.

import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Access } from './access.ts';
import { CertManagerCertificates, injectionAnnotations, SelfManagedCertificates } from './certificates.ts';
import { CustomResourceDefinition } from './crd.ts';
import { Home } from './home.ts';
import { Manager } from './manager.ts';
import { Monitoring } from './monitoring.ts';
import { namesOf } from './names.ts';
import { Personas } from './personas.ts';
import type { InstallationProps } from './props.ts';
import { settingsOf } from './settings.ts';
import { Webhooks } from './webhooks.ts';

/** Installs an operator: `new InstallationChart(app, 'website', { name: 'website', kinds, image })`. */
export class InstallationChart extends Chart {
  constructor(scope: Construct, id: string, props: InstallationProps) {
    super(scope, id, { labels: namesOf(props.name).labels });
    const settings = settingsOf(this.node.path, props);
    if (props.includeCrds) {
      const crds = new Construct(this, 'crds');
      for (const { definition } of settings.kinds) {
        const { names, namespace } = settings;
        const annotations = injectionAnnotations(settings);
        const converter = { namespace, webhookService: names.webhookService, annotations };
        new CustomResourceDefinition(crds, definition.resource.plural, definition, converter);
      }
    }
    new Home(this, 'namespace', settings);
    const { account } = new Access(this, 'access', settings);
    new Personas(this, 'personas', settings);
    if (settings.certificates === 'cert-manager') new CertManagerCertificates(this, 'certificates', settings);
    else if (settings.webhooks) new SelfManagedCertificates(this, 'certificates', settings, account);
    new Manager(this, 'manager', settings, account);
    if (settings.metrics) new Monitoring(this, 'monitoring', settings);
    if (settings.webhooks) new Webhooks(this, 'webhooks', settings);
  }
}
