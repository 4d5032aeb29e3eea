// Checks the props of a MyDeployment at synthesis as the API server would check the object.

import type { Duration } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { BAD_IMAGE, isImage } from '../../../runtime/image.ts';
import type { MyDeploymentProps } from './props.ts';

interface Times {
  readonly minReady: Duration;
  readonly progressDeadline: Duration;
}

/** One sentence for each mistake, with the invalid value. */
export function propProblems(props: MyDeploymentProps, times: Times): string[] {
  const { replicas = 0, revisionHistoryLimit = 0, restartPolicy = kplus.RestartPolicy.ALWAYS } = props;
  const [minReady, deadline] = [times.minReady.toSeconds(), times.progressDeadline.toSeconds()];
  const skews = (props.topologySpread ?? []).map(({ maxSkew = 1 }) => maxSkew);
  const checks: readonly (readonly [boolean, string])[] = [
    [isCount(replicas), `replicas must be a whole number from 0, got ${replicas}`],
    [isCount(revisionHistoryLimit), `revisionHistoryLimit must be a whole number from 0, got ${revisionHistoryLimit}`],
    [deadline > minReady, `progressDeadline (${deadline}s) must be greater than minReady (${minReady}s)`],
    [restartPolicy === kplus.RestartPolicy.ALWAYS, `restartPolicy must be Always, got ${restartPolicy}`],
    [skews.every((skew) => isCount(skew - 1)), `maxSkew must be a whole number from 1, got ${skews.join(' and ')}`],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/** What is wrong with the containers, which can be added until synthesis. */
export function containerProblems(containers: readonly Pick<kplus.Container, 'name' | 'image'>[]): string[] {
  const names = containers.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...[...repeated].map((name) => `containers: there are several with the name ${JSON.stringify(name)}`),
    ...containers
      .filter(({ image }) => !isImage(image))
      .map(({ name, image }) => `containers: image ${JSON.stringify(image)} of "${name}" is ${BAD_IMAGE}`),
  ];
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
