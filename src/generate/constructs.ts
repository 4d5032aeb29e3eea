// The typed cdk8s construct of a kind, made from its CRD by `cdk8s import`: class, props and renderers for every field.
// The class is named Kube<Kind>, as in cdk8s-plus; the plain name belongs to the construct that users write.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Crd } from './crd.ts';

const CDK8S = 'node_modules/cdk8s-cli/bin/cdk8s';

/** The content of a kind's imports.gen.ts. */
export async function constructsOf(crd: Crd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cdk8s-import-'));
  try {
    await importCrd(crd.file, folder);
    return withTypeImports(await readFile(join(folder, `${crd.group}.ts`), 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importCrd(file: string, folder: string): Promise<void> {
  const options = [
    '--language=typescript',
    '--class-prefix=Kube',
    '--no-save',
    '--no-check-upgrade',
    '--output',
    folder,
  ];
  await promisify(execFile)(process.execPath, [CDK8S, 'import', file, ...options]);
}

/** `cdk8s import` imports interfaces as values. CommonJS ignores that; an ES module fails to load. */
function withTypeImports(source: string): string {
  return source
    .replace(
      'import { ApiObject, ApiObjectMetadata, GroupVersionKind }',
      'import { ApiObject, type ApiObjectMetadata, type GroupVersionKind }',
    )
    .replace('import { Construct }', 'import type { Construct }');
}
