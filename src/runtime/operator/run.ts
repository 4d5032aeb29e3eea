// The start of an operator's program: flags, log, access to the API server, the controllers of the program, and then work until
// SIGTERM or SIGINT. The command line and the environment are read here and nowhere else.

import { createLogger, formatFor } from '../logging/logger.ts';
import { stopOnSignals } from '../manager/signals.ts';
import { FlagError, type KindFlag, type OperatorFlags, parseFlags, usageOf } from './flags.ts';
import { accessOf, createOperator, type Operator, type WebhookPlaces } from './operator.ts';

/** What a program has besides its controllers. */
export interface RunOptions {
  /** The values that `--kinds` may have. @default none */
  readonly kinds?: readonly string[];
  /** Flags besides those of every operator. @default none */
  readonly flags?: readonly KindFlag[];
  /** Absent: no webhooks. The environment variable `ENABLE_WEBHOOKS=false` switches them off, too. */
  readonly webhooks?: WebhookPlaces | ((flags: OperatorFlags) => WebhookPlaces);
  /** For the lease and the certificates where neither `POD_NAMESPACE` nor the kubeconfig names one. @default "default" */
  readonly namespace?: string;
}

/**
 * Runs an operator until SIGTERM or SIGINT. `setup` adds its controllers and webhooks. A failure ends the process with
 * code 1, and an invalid flag prints the usage.
 */
export async function runOperator(
  name: string,
  setup: (operator: Operator, flags: OperatorFlags) => void | Promise<void>,
  options: RunOptions = {},
): Promise<void> {
  const { argv, env, stderr } = process;
  try {
    const flags = parseFlags(argv.slice(2), options.kinds ?? [], options.flags);
    const log = createLogger({ write: (line) => stderr.write(line), format: formatFor(stderr), level: flags.logLevel });
    const access = await accessOf(flags, env);
    const webhooks = typeof options.webhooks === 'function' ? options.webhooks(flags) : options.webhooks;
    const operator = createOperator({
      name,
      flags,
      log,
      access,
      env,
      namespace: env.POD_NAMESPACE ?? access.namespace ?? options.namespace ?? 'default',
      ...(webhooks && env.ENABLE_WEBHOOKS !== 'false' && { webhooks }),
    });
    await setup(operator, flags);
    await operator.run(stopOnSignals());
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : error}\n`);
    if (error instanceof FlagError) stderr.write(usageOf(options.flags ?? []));
    process.exit(1); // at once: leadership may be lost, and no write may be sent any more
  }
}
