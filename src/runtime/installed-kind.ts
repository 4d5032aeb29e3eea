// What has to be known of a kind in order to install it, without anything that runs: its definition for the API server, the
// permissions of its controller, and which webhooks judge its objects.

import type { CustomResource } from './custom-resource.ts';

/** The right to do some things to one resource. */
export interface Permission {
  /** Empty for the core group. */
  readonly group: string;
  /** Plural; a subresource after a slash. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Only the object of this name. */
  readonly name?: string;
}

/** What a webhook does to an object. Its path begins with this word. */
export type Admission = 'mutate' | 'validate';

/** What has to be known of a kind in order to install it. */
export interface InstalledKind {
  readonly definition: CustomResource;
  /** Everything that its controller and webhooks need, and nothing else. */
  readonly permissions: readonly Permission[];
  /** The webhooks that its objects pass. */
  readonly admission: readonly Admission[];
  /**
   * True when its validating webhook is asked about deletions, too. It can warn, but not hold them up: a deletion passes while no
   * operator answers.
   */
  readonly warnsOnDelete?: boolean;
}

/**
 * Where the operator serves this webhook of a kind, in kubebuilder's notation. The API server converts objects of other versions
 * to the version of the path before it calls.
 */
export function webhookPath(admission: Admission, { resource, singular }: CustomResource): string {
  return `/${admission}-${resource.group.replaceAll('.', '-')}-${resource.version}-${singular}`;
}
