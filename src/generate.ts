// `make generate`: for each CRD in crds/, the TypeScript types of its objects and its typed construct, written into the
// folder of its kind. Needs nothing that it generates, so a tree without those files can always make them again. Then, for
// each page of docs/ that shows constructs, the YAML that they make; the types of the scaffold's kind; and the scripts for Argo CD as
// a patch of its ConfigMap.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { staticSiteDefinition } from '../templates/operator/src/kinds/static-site/schema.ts';
import { type CrdVersion, schemaModule } from './create/version.ts';
import { argoCdPatch } from './generate/argo-cd.ts';
import { constructsOf } from './generate/constructs.ts';
import { type Crd, type CrdManifest, crdOf, folderOf, readCrds, typesFolderOf } from './generate/crd.ts';
import { kindTypes, PACKAGE } from './generate/kind-types.ts';
import { withFreshYaml } from './generate/snippets.ts';
import { typesOf } from './generate/types.ts';
import { CustomResourceDefinition } from './operator/crd.ts';

async function generate(crd: Crd): Promise<void> {
  const types = await kindTypes(crd);
  const files = new Map([
    ...[...types].map(([name, content]): [string, string] => [join(typesFolderOf(crd.kind), name), content]),
    [join('src/kinds', folderOf(crd.kind), 'imports.gen.ts'), await constructsOf(crd)],
  ]);
  for (const [path, content] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(`  - ${path}`);
  }
}

/** What a project made from the templates would generate from the CRD that it would write. */
async function generateTemplate(folder: string): Promise<void> {
  const chart = new Chart(new App(), 'template');
  const manifest = new CustomResourceDefinition(chart, 'crd', staticSiteDefinition).toJson() as CrdManifest;
  const crd = crdOf('crds/staticsites.yaml', manifest);
  const [stored] = (manifest as unknown as { readonly spec: { readonly versions: readonly [CrdVersion] } }).spec
    .versions;
  const { name: version } = stored;
  const other = kindTypes({ ...crd, others: [{ version, schema: crd.schema }] }, PACKAGE);
  const files = new Map([
    [`templates/operator/${folder}/types.gen.ts`, await typesOf(crd, PACKAGE)],
    [`templates/version/${folder}/${version}.gen.ts`, (await other).get(`${version}.gen.ts`) as string],
    [`templates/version/${folder}/${version}.schema.ts`, schemaModule(stored)],
  ]);
  for (const [path, content] of files) {
    writeFileSync(path, content);
    console.log(`  - ${path}`);
  }
}

function refresh(page: string): void {
  const text = readFileSync(page, 'utf8');
  const fresh = withFreshYaml(text);
  if (fresh === text) return;
  writeFileSync(page, fresh);
  console.log(`  - ${page}`);
}

await Promise.all(readCrds('crds').map(generate));
await generateTemplate('src/kinds/static-site');
globSync('docs/*.md').forEach(refresh);
writeFileSync('ecosystem/argo-cd/argocd-cm.yaml', argoCdPatch('ecosystem/argo-cd/resource_customizations'));
