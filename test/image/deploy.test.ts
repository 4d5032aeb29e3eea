// `make deploy`, with a kubectl that notes down what it is asked for.

import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { Scratch } from '../cluster/binaries/fixture.ts';

interface Applied {
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec: { readonly containers: { readonly image: string }[] } } };
}

/** The calls of kubectl, and what came in through its standard input. */
async function deploy(scratch: Scratch, args: readonly string[]): Promise<{ calls: string[]; applied: Applied[] }> {
  const kubectl = join(scratch.path, 'kubectl');
  const [calls, input] = [join(scratch.path, 'calls'), join(scratch.path, 'input')];
  const script = `#!/bin/sh\necho "$*" >>'${calls}'\ncase "$*" in *'-f -') cat >>'${input}';; esac\n`;
  await writeFile(kubectl, script);
  await chmod(kubectl, 0o755);
  await promisify(execFile)('make', ['deploy', ...args], { env: { PATH: `${scratch.path}:${process.env.PATH}` } });
  return {
    calls: (await readFile(calls, 'utf8')).trim().split('\n'),
    applied: parseAllDocuments(await readFile(input, 'utf8')).map((document) => document.toJS() as Applied),
  };
}

function images(applied: readonly Applied[]): (string | undefined)[] {
  return applied
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec?.template?.spec.containers[0]?.image);
}

describe('make deploy', () => {
  it.each([
    { args: [], image: 'mydeployment:0.1.0' },
    { args: ['IMG=registry:5000/team/mydeployment:1'], image: 'registry:5000/team/mydeployment:1' },
  ])('with $args applies the operator once, as $image', async ({ args, image }) => {
    await using scratch = await Scratch.create();
    const { calls, applied } = await deploy(scratch, args);
    expect(calls).toEqual(['apply -f crds/', 'apply -f -']);
    expect(images(applied)).toEqual([image]);
  });

  it('leaves nothing out', async () => {
    await using scratch = await Scratch.create();
    const { applied } = await deploy(scratch, ['IMG=mydeployment:1']);
    const texts = await Promise.all(
      globSync('manifests/*.yaml')
        .sort()
        .map((path) => readFile(path, 'utf8')),
    );
    const shipped = texts.flatMap((text) =>
      parseAllDocuments(text).map((document) => (document.toJS() as Applied).kind),
    );
    expect(applied.map(({ kind }) => kind)).toEqual(shipped);
  });
});
