// The operator of this project: the kinds of kinds.ts on the runtime.

import { KINDS } from './kinds/kinds.ts';
import { INSTALLATION } from './operator/names.ts';
import { addKind } from './runtime/kind.ts';
import { runOperator } from './runtime/operator/run.ts';

const kinds = new Map(Object.values(KINDS).map((kind) => [kind.definition.singular, kind]));

await runOperator(
  INSTALLATION.manager,
  async (operator, flags) => {
    for (const [name, kind] of kinds) {
      if (flags.kinds.length === 0 || flags.kinds.includes(name)) await addKind(operator, kind);
    }
  },
  {
    kinds: [...kinds.keys()],
    namespace: INSTALLATION.namespace,
    webhooks: {
      services: [INSTALLATION.webhookService, INSTALLATION.metricsService],
      secret: INSTALLATION.webhookCertificates,
      configurations: [
        { kind: 'MutatingWebhookConfiguration', name: INSTALLATION.mutatingWebhooks },
        { kind: 'ValidatingWebhookConfiguration', name: INSTALLATION.validatingWebhooks },
      ],
    },
  },
);
