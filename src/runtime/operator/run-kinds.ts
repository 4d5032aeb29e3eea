// The program of an operator that is nothing but its kinds: each is declared once, and this runs them. The names of its parts are
// those of the manifests that InstallationChart makes for the same name.

import type { InjectionTarget } from '../certificates/injection.ts';
import { type CustomResource, hasConversion } from '../custom-resource.ts';
import { type InstallationNames, installationNames } from '../installation.ts';
import { addKind, type Kind } from '../kind.ts';
import { groupResourceOf, type Resource } from '../resource.ts';
import { type OperatorFlags, runsKind } from './flags.ts';
import type { WebhookPlaces } from './operator.ts';
import { runOperator } from './run.ts';

/** Runs these kinds, or those of them that `--kinds` names, until SIGTERM or SIGINT. */
export async function runKinds(operator: string, kinds: readonly Kind[]): Promise<void> {
  const names = installationNames(operator);
  const converted = kinds.map(({ definition }) => definition).filter(hasConversion);
  const bySingular = new Map(kinds.map((kind) => [kind.definition.singular, kind]));
  await runOperator(
    names.manager,
    async (running) => {
      for (const [singular, kind] of bySingular) if (running.runs(singular)) await addKind(running, kind);
      // Of all kinds: the API server asks whichever kinds this operator runs.
      if (converted.length > 0) running.webhooks?.converter(converted);
    },
    {
      kinds: [...bySingular.keys()],
      flags: kinds.flatMap(({ flags = [] }) => flags),
      namespace: names.namespace,
      webhooks: (flags) => webhookPlaces(names, converted, flags),
    },
  );
}

/** Where the CA belongs. An operator that does not run a kind has no right to patch its CRD. */
export function webhookPlaces(
  names: InstallationNames,
  converted: readonly CustomResource[],
  flags: Pick<OperatorFlags, 'kinds'>,
): WebhookPlaces {
  return {
    services: [names.webhookService, names.metricsService],
    secret: names.webhookCertificates,
    configurations: [
      { kind: 'MutatingWebhookConfiguration', name: names.mutatingWebhooks },
      { kind: 'ValidatingWebhookConfiguration', name: names.validatingWebhooks },
      ...converted
        .filter(({ singular }) => runsKind(flags, singular))
        .map(({ resource }) => conversionTarget(resource, names)),
    ],
  };
}

function conversionTarget(resource: Resource, names: InstallationNames): InjectionTarget {
  const namespace = process.env.POD_NAMESPACE ?? names.namespace;
  const service = { namespace, name: names.webhookService };
  return { kind: 'CustomResourceDefinition', name: groupResourceOf(resource), service };
}
