// Resolves conflicts between fields of the ModelBox and additions of other clients that the API server refuses
// together: a second handler in a probe, a variable with both value and source, an unnamed port beside ours. Then the
// operator replaces the containers or ports that it owns as a whole, and the additions to them are lost. Containers and
// ports of other clients stay.

import type { JsonPatchOperation } from '../../runtime/client/options.ts';
import type { KubeObject, Manifest } from '../../runtime/object.ts';

type Item = { readonly name?: string };
type Fields = Readonly<Record<string, unknown>>;

const POD = '/spec/template/spec';
const LISTS = ['containers', 'initContainers'] as const;

/** The operations that replace the conflicting fields, at the version that the plan has seen. */
export function overwritingOwned(live: KubeObject, wanted: Manifest<KubeObject>): readonly JsonPatchOperation[] {
  const operations = [...portOperations(wanted), ...LISTS.flatMap((list) => containerOperations(list, live, wanted))];
  // Not a `test` operation, which the API server would report as invalid: a write with an old version is a conflict.
  const version = { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion } as const;
  return operations.length > 0 ? [version, ...operations] : [];
}

/** Of a Service. */
function portOperations(wanted: Manifest<KubeObject>): JsonPatchOperation[] {
  const { ports } = specOf(wanted);
  return ports === undefined ? [] : [{ op: 'replace', path: '/spec/ports', value: ports }];
}

/** Of a Deployment: each of our containers at its present index; others stay. */
function containerOperations(
  list: (typeof LISTS)[number],
  live: KubeObject,
  wanted: Manifest<KubeObject>,
): JsonPatchOperation[] {
  const ours = podOf(wanted)[list] ?? [];
  return (podOf(live)[list] ?? []).flatMap(({ name }, index) => {
    const value = ours.find((container) => container.name === name);
    return value === undefined ? [] : [{ op: 'replace', path: `${POD}/${list}/${index}`, value }];
  });
}

function podOf(object: Manifest<KubeObject>): Readonly<Partial<Record<(typeof LISTS)[number], readonly Item[]>>> {
  const { template } = specOf(object) as { readonly template?: { readonly spec?: Fields } };
  return template?.spec ?? {};
}

function specOf(object: Manifest<KubeObject>): Fields {
  return (object as { readonly spec?: Fields }).spec ?? {};
}
