// A Collector in a cdk8s app: observes a workload of the same app, or all workloads with certain labels.

import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { apiVersionOf } from '../../runtime/resource.ts';
import { collectors } from './names.ts';
import { TARGETS, type TargetKind } from './targets.ts';
import type { CollectorSpecTarget } from './types.gen.ts';

/** A Deployment or MyDeployment of the app, or any object with a kind and a name. */
export interface Collectable {
  readonly kind: string;
  readonly name: string;
}

/** All objects of a kind with these labels. */
export interface Labelled {
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What a Collector observes. */
export interface CollectorProps {
  /** The workload to observe. */
  readonly target: Collectable | Labelled;

  /**
   * A change is over when the target matches its spec and there were no events for this many seconds.
   * @default 5
   */
  readonly quietSeconds?: number;

  /**
   * How many changes are kept.
   * @default 20
   */
  readonly historyLimit?: number;

  /**
   * Metadata of the object.
   * @default - a name made from the path of the construct
   */
  readonly metadata?: ApiObjectMetadata;
}

/** Observes a Deployment or a MyDeployment and counts the events that each change of it causes. */
export class Collector extends ApiObject {
  constructor(scope: Construct, id: string, props: CollectorProps) {
    const { target, metadata, ...spec } = props;
    super(scope, id, {
      apiVersion: apiVersionOf(collectors),
      kind: collectors.kind,
      ...(metadata && { metadata }),
      spec: { ...spec, target: specTarget(target) },
    });
    const problems = problemsOf(props);
    if (problems.length > 0) throw new Error(`${this.node.path}: ${problems.join('; ')}`);
  }
}

function specTarget(target: Collectable | Labelled): CollectorSpecTarget {
  const kind = target.kind as TargetKind;
  return 'labels' in target ? { kind, selector: { matchLabels: target.labels } } : { kind, name: target.name };
}

function problemsOf({ target, quietSeconds = 1, historyLimit = 1 }: CollectorProps): string[] {
  const kinds = Object.keys(TARGETS);
  const isWithin = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [kinds.includes(target.kind), `cannot observe a ${target.kind}, only ${kinds.join(' and ')}`],
    [!('labels' in target) || Object.keys(target.labels).length > 0, 'labels must name at least one label'],
    [isWithin(quietSeconds, 300), `quietSeconds must be a whole number from 1 to 300, got ${quietSeconds}`],
    [isWithin(historyLimit, 100), `historyLimit must be a whole number from 1 to 100, got ${historyLimit}`],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}
