// `controller_runtime_*`: how often and how long controllers reconcile, and with what result.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReconcileOutcome } from '../controller/attempt.ts';
import type { ControllerObservers } from '../controller/observer.ts';

const SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

const RESULTS = ['success', 'error', 'requeue', 'requeue_after'] as const;

export function reconcileMetrics(registry: Registry): ControllerObservers['reconciles'] {
  const registers = [registry];
  const labelNames = ['controller'] as const;
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });

  const total = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles that have ended, by result',
    labelNames: ['controller', 'result'],
    registers,
  });
  const errors = counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed');
  const terminal = counter('controller_runtime_terminal_reconcile_errors_total', 'Failures that are not retried');
  const panics = counter('controller_runtime_reconcile_panics_total', 'Failures that show a bug in the reconcile');
  const timeouts = counter('controller_runtime_reconcile_timeouts_total', 'Reconciles that exceeded their time limit');
  const workers = gauge('controller_runtime_max_concurrent_reconciles', 'Workers of the controller');
  const active = gauge('controller_runtime_active_workers', 'Workers that are busy');
  const time = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long a reconcile takes',
    labelNames,
    buckets: SECONDS,
    registers,
  });

  return (controller, count) => {
    const labels = { controller };
    workers.set(labels, count);
    active.inc(labels, 0);
    // Counters exist from the start, so that their first increase is visible.
    for (const each of [errors, terminal, panics, timeouts]) each.inc(labels, 0);
    for (const result of RESULTS) total.inc({ controller, result }, 0);
    time.zero(labels);
    return {
      busy: () => active.inc(labels),
      free: () => active.dec(labels),
      timedOut: () => timeouts.inc(labels),
      finished(outcome, durationMs) {
        const result = resultOf(outcome);
        time.observe(labels, durationMs / 1000);
        if (result !== undefined) total.inc({ controller, result });
        if (result === 'error') errors.inc(labels);
        if (outcome.kind === 'terminal') terminal.inc(labels);
        if (outcome.kind === 'failed' && showsBug(outcome.error)) panics.inc(labels);
      },
    };
  };
}

/** Undefined for a reconcile that was aborted: it has no result. */
function resultOf(outcome: ReconcileOutcome): (typeof RESULTS)[number] | undefined {
  switch (outcome.kind) {
    case 'done':
      return 'success';
    case 'checkAgain':
    case 'notYet':
      return 'requeue_after';
    case 'retry':
      return 'requeue';
    case 'failed':
    case 'terminal':
      return 'error';
    case 'aborted':
      return undefined;
    default:
      return outcome satisfies never;
  }
}

/** The counterpart of a panic in Go: an error of the language, such as reading a property of undefined. */
function showsBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}
