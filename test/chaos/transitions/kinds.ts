// The two kinds that are compared, as the client addresses them, and the namespaces that they live in.

import { randomBytes } from 'node:crypto';
import type { V1Deployment } from '@kubernetes/client-node';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import * as builtIn from '../../../src/runtime/built-in.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { KubeObject, Manifest, Raw } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import type { LabelSelector } from '../../../src/workload/selector.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';
import type { Json } from '../../support/merge-patch.ts';
import { createNamespace, podsAreWelcome } from '../../support/namespace.ts';

export type WorkloadStatus = Raw<NonNullable<V1Deployment['status']>>;

/** What a Deployment and a MyDeployment have in common. */
export interface Workload extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: WorkloadStatus;
}

export const deployments = builtIn.deployments as Resource<KubeObject> as Resource<Workload>;

export const ours = myDeployments as Resource<KubeObject> as Resource<Workload>;

/** A namespace of its own, in which pods can be created. */
export async function freshNamespace(client: Client): Promise<string> {
  const name = `transition-${randomBytes(4).toString('hex')}`;
  await createNamespace(client, name);
  await podsAreWelcome(client, name);
  return name;
}

/** An object of any kind with a spec that may be anything. */
export function manifestOf<T extends KubeObject>(namespace: string, name: string, spec: Json): Manifest<T> {
  return { metadata: { namespace, name }, spec } as unknown as Manifest<T>;
}
