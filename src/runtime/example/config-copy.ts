// A complete operator: every ConfigMap labelled `config-copy.example/everywhere` is copied into all other namespaces, and
// the copies are kept equal, put back when somebody deletes them, and removed with the original or its label. Try it:
// `npx node src/runtime/example/config-copy.ts --kubeconfig .cluster/kubeconfig --leader-elect`.

import { isDeepStrictEqual } from 'node:util';
import {
  accessOf,
  Controller,
  createLogger,
  createOperator,
  done,
  formatFor,
  type KubeObject,
  keyOf,
  type Operator,
  parseFlags,
  type Reconcile,
  type Resource,
  stopOnSignals,
} from '../index.ts';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const core = { group: '', version: 'v1' };
const configMaps: Resource<ConfigMap> = { ...core, kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const namespaces: Resource = { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false };

const EVERYWHERE = 'config-copy.example/everywhere';
const COPY = 'config-copy.example/copy';
const ORIGINAL = 'config-copy.example/original';

/** The key of the original that this is a copy of. */
const originalOf = ({ metadata }: KubeObject): string[] => [metadata.annotations?.[ORIGINAL] ?? ''];

function configCopyController({ cache, client, controllerOptions }: Operator): Controller {
  const originals = cache.informer(configMaps, { labelSelector: EVERYWHERE });
  const copies = cache.informer(configMaps, { labelSelector: COPY, indexes: { original: originalOf } });
  const spaces = cache.informer(namespaces);

  const apply = ({ metadata, data = {} }: ConfigMap, namespace: string, signal: AbortSignal) => {
    const target = { namespace, name: metadata.name };
    const annotations = { [ORIGINAL]: keyOf(metadata) };
    const body = { metadata: { ...target, labels: { [COPY]: 'true' }, annotations }, data };
    return client.patch(configMaps, target, { type: 'apply', body, fieldManager: 'config-copy' }, { signal });
  };

  const reconcile: Reconcile = async (key, { signal }) => {
    const original = originals.get(key);
    const isTarget = (name: string): boolean => original !== undefined && name !== original.metadata.namespace;
    const targets = spaces.list().filter(({ metadata }) => !metadata.deletionTimestamp && isTarget(metadata.name));
    const found = new Map(copies.byIndex('original', key).map((copy) => [copy.metadata.namespace ?? '', copy]));
    const strays = [...found].filter(([namespace]) => !isTarget(namespace)).map(([, copy]) => copy.metadata);
    const outdated = targets
      .map(({ metadata }) => metadata.name)
      .filter((namespace) => !isDeepStrictEqual(found.get(namespace)?.data, original?.data));
    await Promise.all([
      ...strays.map(({ namespace = '', name, uid }) => client.delete(configMaps, { namespace, name }, { uid, signal })),
      ...(original ? outdated.map((namespace) => apply(original, namespace, signal)) : []),
    ]);
    return done;
  };

  return new Controller({ ...controllerOptions, name: 'config-copy', reconcile })
    .for(originals)
    .watches(copies, originalOf)
    .watches(spaces, () => originals.list().map(({ metadata }) => keyOf(metadata)));
}

const flags = parseFlags(process.argv.slice(2), []);
const format = formatFor(process.stderr);
const log = createLogger({ write: (line) => process.stderr.write(line), format, level: flags.logLevel });
const access = await accessOf(flags, process.env);
const operator = createOperator({ name: 'config-copy', namespace: access.namespace ?? 'default', flags, access, log });
operator.addController(configCopyController(operator));
await operator.run(stopOnSignals());
