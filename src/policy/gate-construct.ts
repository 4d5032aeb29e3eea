// The gates of steps, for cdk8s apps.

import type { Duration } from 'cdk8s';
import { isDnsLabel } from '../runtime/dns-label.ts';
import { formatDuration } from './duration.ts';
import type { RolloutPolicySpecGate } from './types.gen.ts';
import { hasUnknownVariable, VARIABLES } from './variables.ts';

/** A query whose value has to stay within bounds. */
export interface PrometheusGateProps {
  /**
   * A PromQL query that yields one number. `{{namespace}}`, `{{pods}}` and `{{stablePods}}` are filled in; the last two are patterns
   * for `=~` that match the new and the stable pods.
   */
  readonly query: string;

  /**
   * The lowest value that is good.
   * @default - no bound; at least one of `min` and `max` is needed
   */
  readonly min?: number;

  /**
   * The highest value that is good.
   * @default - no bound; at least one of `min` and `max` is needed
   */
  readonly max?: number;

  /**
   * The server, by the name that the operator's flag `--prometheus` gives it.
   * @default 'default'
   */
  readonly server?: string;

  /**
   * The time between two measurements. The first one is made after it.
   * @default Duration.seconds(30)
   */
  readonly interval?: Duration;

  /**
   * How many good measurements it takes.
   * @default 1
   */
  readonly count?: number;

  /**
   * What a query without a result means: wait for one, or fail.
   * @default 'Hold'
   */
  readonly onNoData?: 'Hold' | 'Fail';
}

/** A Job that has to succeed. */
export interface JobGateProps {
  /** The CronJob that the Job is made from. It can be suspended. */
  readonly cronJob: { readonly name: string };
}

/** What has to pass before a rollout leaves a step. */
export class RolloutGate {
  /** Passes when the value of a query stays within bounds. */
  static prometheus(name: string, props: PrometheusGateProps): RolloutGate {
    const { query, min, max, server, interval, count, onNoData } = props;
    return new RolloutGate({
      name,
      prometheus: {
        ...(server !== undefined && { server }),
        query,
        ...(min !== undefined && { min: String(min) }),
        ...(max !== undefined && { max: String(max) }),
      },
      ...(interval && { interval: formatDuration(interval.toMilliseconds()) }),
      ...(count !== undefined && { count }),
      ...(onNoData && { onNoData }),
    });
  }

  /** Passes when a Job succeeds. */
  static job(name: string, { cronJob }: JobGateProps): RolloutGate {
    return new RolloutGate({ name, job: { fromCronJob: cronJob.name } });
  }

  /** The gate as the policy's spec has it. */
  readonly spec: RolloutPolicySpecGate;

  private constructor(spec: RolloutPolicySpecGate) {
    this.spec = spec;
  }

  get name(): string {
    return this.spec.name;
  }
}

/** What is wrong with a gate. */
export function gateProblems({ spec: { name, prometheus, interval, count = 1 } }: RolloutGate): string[] {
  const { query = 'up', min, max = '0', server = 'default' } = prometheus ?? {};
  const isNumber = (text: string): boolean => Number.isFinite(Number(text));
  const variables = VARIABLES.map((variable) => `{{${variable}}}`).join(', ');
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [isDnsLabel(name), 'its name must be at most 63 of a-z, 0-9 and dashes'],
    [isDnsLabel(server), `no server can be called "${server}"`],
    [
      prometheus === undefined || min !== undefined || prometheus.max !== undefined,
      'must have at least one of min and max',
    ],
    [isNumber(min ?? '0') && isNumber(max), `min and max must be numbers, got ${min} and ${max}`],
    [
      min === undefined || prometheus?.max === undefined || Number(min) <= Number(max),
      `min ${min} is above max ${max}`,
    ],
    [query !== '', 'must have a query'],
    [!hasUnknownVariable(query), `only ${variables} are filled in, got ${query}`],
    [interval !== '', 'interval must be whole seconds, at least one'],
    [
      Number.isInteger(count) && count >= 1 && count <= 1000,
      `count must be a whole number from 1 to 1000, got ${count}`,
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => `gate "${name}": ${problem}`);
}
