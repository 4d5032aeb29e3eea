// The error for binaries that no source has: one message with the missing binaries, why each source failed, and the three things
// that help.

import { type Component, GO_VERSION } from './component.ts';

export interface Failure {
  readonly way: 'KUBEBUILDER_ASSETS' | 'cache' | 'download' | 'go build';
  readonly because: string;
}

export interface Missing {
  readonly component: Component;
  /** Why each way failed, in the order in which they were tried. */
  readonly failures: readonly Failure[];
}

export class MissingBinaries extends Error {
  override readonly name = 'MissingBinaries';
  readonly missing: readonly Missing[];

  constructor(missing: readonly Missing[]) {
    super(message(missing));
    this.missing = missing;
  }
}

function message(missing: readonly Missing[]): string {
  const names = missing.map(({ component }) => component).join(', ');
  return [
    `cannot get ${names}`,
    ...byReasons(missing).map(explain),
    'Any one of these helps:',
    `  1. set KUBEBUILDER_ASSETS to a directory that holds ${names}`,
    '  2. restore the network, or set MYDEPLOYMENT_KUBE_URL, MYDEPLOYMENT_ETCD_URL and MYDEPLOYMENT_KWOK_URL' +
      ' to mirrors of the releases',
    `  3. install Go ${GO_VERSION} or newer and put it on PATH; it builds them once, in about ten minutes`,
  ].join('\n');
}

/** Components that fail for the same reasons are explained together. */
function byReasons(missing: readonly Missing[]): Missing[][] {
  return [...Map.groupBy(missing, ({ failures }) => JSON.stringify(failures)).values()];
}

function explain(group: readonly Missing[]): string {
  const failures = group[0]?.failures ?? [];
  const lines = failures.map(({ way, because }) => `    ${way}: ${because.replaceAll('\n', '\n      ')}`);
  return [`  ${group.map(({ component }) => component).join(', ')}`, ...lines].join('\n');
}
