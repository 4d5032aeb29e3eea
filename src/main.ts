// The operator: flags → operator → kinds → run until told to stop. The environment is read here and nowhere else.

import { collectorController } from './kinds/collector/controller.ts';
import { imoocPodController } from './kinds/imooc-pod/controller.ts';
import { serveImoocPod } from './kinds/imooc-pod/webhook.ts';
import { modelBoxController } from './kinds/model-box/controller.ts';
import { serveModelBox } from './kinds/model-box/webhook.ts';
import { myDaemonSetController } from './kinds/my-daemon-set/controller.ts';
import { serveMyDaemonSet } from './kinds/my-daemon-set/webhook.ts';
import { myDeploymentController } from './kinds/my-deployment/controller.ts';
import { myDeployments } from './kinds/my-deployment/names.ts';
import { observeRollouts } from './kinds/my-deployment/rollout-metrics.ts';
import { serveMyDeployment } from './kinds/my-deployment/webhook.ts';
import { Zones } from './kinds/my-deployment/zones.ts';
import { INSTALLATION } from './operator/names.ts';
import { createLogger, formatFor } from './runtime/logging/logger.ts';
import { stopOnSignals } from './runtime/manager/signals.ts';
import { parseFlags, USAGE } from './runtime/operator/flags.ts';
import { accessOf, createOperator, type Operator, type WebhookPlaces } from './runtime/operator/operator.ts';

/** One line for each kind: how it adds itself to the operator. */
const KINDS: Readonly<Record<string, (operator: Operator, env: NodeJS.ProcessEnv) => void>> = {
  mydeployment(operator, { DEFAULT_SPREAD }) {
    const { spread } = new Zones(operator.client);
    operator.addController(myDeploymentController({ ...operator, ...(DEFAULT_SPREAD !== 'false' && { spread }) }));
    observeRollouts(operator.cache.informer(myDeployments), operator);
    if (operator.webhooks) serveMyDeployment(operator.webhooks, operator.webhookClient);
  },
  imoocpod(operator) {
    operator.addController(imoocPodController(operator));
    if (operator.webhooks) serveImoocPod(operator.webhooks);
  },
  mydaemonset(operator) {
    operator.addController(myDaemonSetController(operator));
    if (operator.webhooks) serveMyDaemonSet(operator.webhooks);
  },
  modelbox(operator) {
    operator.addController(modelBoxController(operator));
    if (operator.webhooks) serveModelBox(operator.webhooks, operator.webhookClient);
  },
  collector(operator) {
    operator.addController(collectorController(operator));
  },
};

const WEBHOOKS: WebhookPlaces = {
  services: [INSTALLATION.webhookService, INSTALLATION.metricsService],
  secret: INSTALLATION.webhookCertificates,
  configurations: [
    { kind: 'MutatingWebhookConfiguration', name: INSTALLATION.mutatingWebhooks },
    { kind: 'ValidatingWebhookConfiguration', name: INSTALLATION.validatingWebhooks },
  ],
};

async function main({ argv, env }: NodeJS.Process): Promise<void> {
  const flags = parseFlags(argv.slice(2), Object.keys(KINDS));
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
    namespace: env.POD_NAMESPACE ?? access.namespace ?? INSTALLATION.namespace,
    ...(env.ENABLE_WEBHOOKS !== 'false' && { webhooks: WEBHOOKS }),
  });
  const wanted = flags.kinds.length > 0 ? flags.kinds : Object.keys(KINDS);
  for (const kind of wanted) KINDS[kind]?.(operator, env);
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
