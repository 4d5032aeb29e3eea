// What to do when somebody else's additions contradict ours, so that the API server refuses to have both: a probe of ours
// that was given a second handler, a variable with a value and a source, a port without a name beside ours. Then the
// containers or the ports that we own are put back as a whole, and what others had added to them goes. Otherwise nothing
// of theirs is touched.

import type { JsonPatchOperation } from '../../runtime/client/options.ts';
import type { KubeObject, Manifest } from '../../runtime/object.ts';

type Item = { readonly name?: string };
type Fields = Readonly<Record<string, unknown>>;

const POD = '/spec/template/spec';
const LISTS = ['containers', 'initContainers'] as const;

/** The operations that make room for what is wanted, at the version they were decided about. */
export function overwritingOwned(live: KubeObject, wanted: Manifest<KubeObject>): readonly JsonPatchOperation[] {
  const operations = [...portOperations(wanted), ...LISTS.flatMap((list) => containerOperations(list, live, wanted))];
  // Not a test, which would be refused as invalid: an old version that is written is refused as a conflict.
  const version = { op: 'replace', path: '/metadata/resourceVersion', value: live.metadata.resourceVersion } as const;
  return operations.length > 0 ? [version, ...operations] : [];
}

/** Of a Service. */
function portOperations(wanted: Manifest<KubeObject>): JsonPatchOperation[] {
  const { ports } = specOf(wanted);
  return ports === undefined ? [] : [{ op: 'replace', path: '/spec/ports', value: ports }];
}

/** Of a Deployment: each of our containers where it is now; those of others stay. */
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
