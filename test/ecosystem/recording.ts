// Objects as they are kept in testdata: what a user wrote, the generation and the status. What differs from one run to the
// next is made equal: times, the random parts of names, addresses, and counts of events.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KubeObject } from '../../src/runtime/object.ts';
import { CUSTOMIZATIONS } from './argo-cd-cases.ts';

export interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: object;
  readonly status: object;
}

interface Status {
  readonly conditions?: readonly { readonly type: string }[];
}

const UNSTABLE: Readonly<Record<string, (value: unknown) => unknown>> = {
  lastTransitionTime: () => '2026-01-01T00:00:00Z',
  lastUpdateTime: () => '2026-01-01T00:00:00Z',
  stepStartedAt: () => '2026-01-01T00:00:00Z',
  at: () => '2026-01-01T00:00:00Z',
  podNames: (names) => (names as string[]).map((name, index) => name.replace(/[a-z0-9]{5}$/, `0000${index}`)),
  address: (address) => (address as string).replace(/^.*:/, '10.0.0.1:'),
  events: () => undefined,
  changes: () => undefined,
  total: () => 0,
  reconciles: () => 0,
};

/** The recording of an object, with the spec as it was written: defaults differ between versions of Kubernetes. */
export function record({ apiVersion, kind, metadata, ...rest }: KubeObject, spec: object): Recording {
  const { status = {} } = rest as { readonly status?: Status };
  const { conditions } = status;
  const sorted = conditions && [...conditions].sort((a, b) => a.type.localeCompare(b.type));
  const text = JSON.stringify(
    { ...status, conditions: sorted },
    (key, value) => UNSTABLE[key]?.(value) ?? dropped(key, value),
  );
  const { name, generation = 0 } = metadata;
  return {
    apiVersion: apiVersion as string,
    kind: kind as string,
    metadata: { name, generation },
    spec,
    status: JSON.parse(
      text.replaceAll(new RegExp(`\\b${name}-[a-z0-9]{6,10}(-[a-z0-9]{5})?\\b`, 'g'), (_, pod) =>
        pod === undefined ? `${name}-revision` : `${name}-revision-00000`,
      ),
    ) as object,
  };
}

function dropped(key: string, value: unknown): unknown {
  return key in UNSTABLE ? undefined : value;
}

function pathOf({ apiVersion, kind }: Pick<Recording, 'apiVersion' | 'kind'>, phase: string): string {
  return join(CUSTOMIZATIONS, apiVersion.split('/')[0] as string, kind, 'testdata', `${phase}.yaml`);
}

/** What testdata has of this phase. With UPDATE_RECORDINGS=true it is what was seen just now. */
export function recorded(seen: Recording, phase: string): Recording {
  const path = pathOf(seen, phase);
  if (process.env.UPDATE_RECORDINGS === 'true') writeFileSync(path, stringify(seen, { lineWidth: 0 }));
  if (!existsSync(path)) throw new Error(`${path} is missing: record it with UPDATE_RECORDINGS=true`);
  return parse(readFileSync(path, 'utf8')) as Recording;
}
