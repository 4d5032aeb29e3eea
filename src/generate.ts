// `make generate`: for each CRD in crds/, the TypeScript types of its objects and its typed construct, written into the
// folder of its kind. Needs nothing that it generates, so a tree without those files can always make them again. Then, for
// each page of docs/ that shows constructs, the YAML that they make; and the scripts for Argo CD as a patch of its ConfigMap.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argoCdPatch } from './generate/argo-cd.ts';
import { constructsOf } from './generate/constructs.ts';
import { type Crd, folderOf, readCrds } from './generate/crd.ts';
import { withFreshYaml } from './generate/snippets.ts';
import { typesOf } from './generate/types.ts';

async function generate(crd: Crd): Promise<void> {
  const folder = join('src/kinds', folderOf(crd.kind));
  mkdirSync(folder, { recursive: true });
  const files = { 'types.gen.ts': await typesOf(crd), 'imports.gen.ts': await constructsOf(crd) };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    console.log(`  - ${join(folder, name)}`);
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
globSync('docs/*.md').forEach(refresh);
writeFileSync('ecosystem/argo-cd/argocd-cm.yaml', argoCdPatch('ecosystem/argo-cd/resource_customizations'));
