// A complete operator. It copies every ConfigMap with the label `config-copy.example/everywhere` into all other namespaces, and
// lists the copies in a ConfigMap beside the original. It keeps both as they should be, and removes them when the original or
// its label goes. Try it: `npx node src/runtime/example/config-copy.ts --kubeconfig .cluster/kubeconfig --leader-elect`.

import { isDeepStrictEqual } from 'node:util';
import {
  type ConfigMap,
  Controller,
  configMaps,
  done,
  type KubeObject,
  keyOf,
  keyOfOwner,
  type Manifest,
  type Namespace,
  namespaces,
  type Operator,
  type Reconcile,
  runOperator,
  setControllerReference,
  withFinalizer,
} from '../index.ts';

const EVERYWHERE = 'config-copy.example/everywhere';
const ORIGINAL = 'config-copy.example/original';
const FINALIZER = 'config-copy.example/copies';

type Wanted = Manifest<ConfigMap> & { readonly metadata: { readonly namespace: string; readonly name: string } };

const isLabelled = ({ metadata }: KubeObject): boolean => metadata.labels?.[EVERYWHERE] !== undefined;
/** Copies name their original in an annotation: an owner reference cannot lead to another namespace. */
const originalOf = ({ metadata }: KubeObject): string[] => [metadata.annotations?.[ORIGINAL] ?? []].flat();
/** The original that a copy or a list belongs to. */
const belongsTo = (object: KubeObject): string[] => [...originalOf(object), ...keyOfOwner(configMaps)(object)];

/** Every ConfigMap that the operator keeps for one original. */
function wantedFor(original: ConfigMap, targets: readonly Namespace[]): readonly Wanted[] {
  const names = targets.map((target) => target.metadata.name).sort();
  const { metadata, data = {}, binaryData = {} } = original;
  const { name, namespace = '' } = metadata;
  const annotations = { [ORIGINAL]: keyOf(metadata) };
  const list = { metadata: { namespace, name: `${name}-copies` }, data: { namespaces: names.join('\n') } };
  return [
    setControllerReference(list, original, configMaps),
    ...names.map((target) => ({ metadata: { namespace: target, name, annotations }, data, binaryData })),
  ];
}

function differs(wanted: Manifest<ConfigMap>, found: ConfigMap | undefined): boolean {
  const contentOf = ({ data = {}, binaryData = {} }: Manifest<ConfigMap>) => ({ data, binaryData });
  return found === undefined || !isDeepStrictEqual(contentOf(wanted), contentOf(found));
}

function configCopyController({ cache, client, controllerOptions }: Operator): Controller {
  const maps = cache.informer(configMaps, { indexes: { belongsTo } });
  const spaces = cache.informer(namespaces);

  const reconcile: Reconcile = async (key, { signal }) => {
    const keep = async (wanted: readonly Wanted[]): Promise<void> => {
      const keys = new Set(wanted.map(({ metadata }) => keyOf(metadata)));
      const surplus = maps.byIndex('belongsTo', key).filter(({ metadata }) => !keys.has(keyOf(metadata)));
      const outdated = wanted.filter((each) => {
        const found = maps.get(keyOf(each.metadata));
        // A ConfigMap of the same name that is not ours stays as it is.
        return differs(each, found) && (found === undefined || belongsTo(found).includes(key));
      });
      await Promise.all([
        ...surplus.map(({ metadata }) => client.delete(configMaps, metadata, { uid: metadata.uid, signal })),
        ...outdated.map((body) =>
          // With `force`, because the API server otherwise refuses to overwrite what a user has edited.
          client.patch(
            configMaps,
            body.metadata,
            { type: 'apply', body, fieldManager: 'config-copy', force: true },
            { signal },
          ),
        ),
      ]);
    };

    const original = maps.get(key);
    if (original === undefined) {
      await keep([]);
      return done;
    }
    const isTarget = ({ metadata }: KubeObject): boolean =>
      metadata.deletionTimestamp === undefined && metadata.name !== original.metadata.namespace;
    return withFinalizer(original, {
      finalizer: FINALIZER,
      isWanted: isLabelled(original),
      apply: async () => {
        await keep(wantedFor(original, spaces.list().filter(isTarget)));
        return done;
      },
      cleanUp: () => keep([]),
      patch: (body) => client.patch(configMaps, original.metadata, { type: 'json', body }, { signal }),
    });
  };

  return new Controller({ ...controllerOptions, name: 'config-copy', reconcile })
    .for(maps)
    .owns(maps)
    .watches(maps, originalOf)
    .watches(spaces, () =>
      maps
        .list()
        .filter(isLabelled)
        .map(({ metadata }) => keyOf(metadata)),
    );
}

await runOperator('config-copy', (operator) => operator.addController(configCopyController(operator)));
