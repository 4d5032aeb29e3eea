// The operator: flags → operator → kinds → run until told to stop. The environment is read here and nowhere else.

import { KINDS } from './kinds/kinds.ts';
import { INSTALLATION } from './operator/names.ts';
import { addKind } from './runtime/kind.ts';
import { createLogger, formatFor } from './runtime/logging/logger.ts';
import { stopOnSignals } from './runtime/manager/signals.ts';
import { parseFlags, USAGE } from './runtime/operator/flags.ts';
import { accessOf, createOperator, type WebhookPlaces } from './runtime/operator/operator.ts';

const kinds = new Map(Object.values(KINDS).map((kind) => [kind.definition.singular, kind]));

const WEBHOOKS: WebhookPlaces = {
  services: [INSTALLATION.webhookService, INSTALLATION.metricsService],
  secret: INSTALLATION.webhookCertificates,
  configurations: [
    { kind: 'MutatingWebhookConfiguration', name: INSTALLATION.mutatingWebhooks },
    { kind: 'ValidatingWebhookConfiguration', name: INSTALLATION.validatingWebhooks },
  ],
};

async function main({ argv, env }: NodeJS.Process): Promise<void> {
  const flags = parseFlags(argv.slice(2), [...kinds.keys()]);
  const log = createLogger({
    write: (line) => process.stderr.write(line),
    format: formatFor(process.stderr),
    level: flags.logLevel,
  });
  const access = await accessOf(flags, env);
  const operator = createOperator({
    name: INSTALLATION.manager,
    flags,
    log,
    access,
    env,
    namespace: env.POD_NAMESPACE ?? access.namespace ?? INSTALLATION.namespace,
    ...(env.ENABLE_WEBHOOKS !== 'false' && { webhooks: WEBHOOKS }),
  });
  for (const [name, kind] of kinds) {
    if (flags.kinds.length === 0 || flags.kinds.includes(name)) await addKind(operator, kind);
  }
  await operator.run(stopOnSignals());
}

try {
  await main(process);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (isMisuse(error)) process.stderr.write(USAGE);
  process.exit(1); // at once: whatever still runs must not write any more, leadership may be lost
}

/** Wrong flags are the only thing that usage helps with. */
function isMisuse(error: unknown): boolean {
  return error instanceof Error && (error.message.startsWith('--') || 'code' in error);
}
