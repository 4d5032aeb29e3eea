// The scripts of ecosystem/argo-cd as a patch of Argo CD's own ConfigMap, for installations that do not build Argo CD with
// these scripts inside.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** The patch for `<group>/<Kind>/health.lua` and `<group>/<Kind>/actions/` of a folder in Argo CD's layout. */
export function argoCdPatch(folder: string): string {
  const kinds = globSync('*/*/health.lua', { cwd: folder }).sort();
  const data = Object.fromEntries(
    kinds.flatMap((path) => {
      const [group = '', kind = ''] = path.split('/');
      return customizationsOf(join(folder, group, kind), `${group}_${kind}`);
    }),
  );
  const comment = '# kubectl -n argocd patch configmap argocd-cm --patch-file argocd-cm.yaml\n';
  return comment + stringify({ data }, { lineWidth: 0 });
}

function customizationsOf(folder: string, key: string): [string, string][] {
  const health: [string, string] = [`resource.customizations.health.${key}`, scriptAt(folder, 'health.lua')];
  if (!existsSync(join(folder, 'actions'))) return [health];
  const names = globSync('*/action.lua', { cwd: join(folder, 'actions') }).map((path) => path.split('/')[0] as string);
  const actions = {
    'discovery.lua': scriptAt(folder, 'actions/discovery.lua'),
    definitions: names.sort().map((name) => ({ name, 'action.lua': scriptAt(folder, `actions/${name}/action.lua`) })),
  };
  return [health, [`resource.customizations.actions.${key}`, stringify(actions, { lineWidth: 0 })]];
}

function scriptAt(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}
