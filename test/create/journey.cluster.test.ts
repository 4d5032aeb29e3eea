// The way of somebody who writes an operator of their own with what npm packs: an empty folder outside of this repository, create,
// install, test, a webhook, a second kind, a second version with conversion, run, apply, stop. Only the commands that the tutorial names.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pack } from '../package/consumer.ts';
import { useSharedCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { tutorialFiles } from './tutorial.ts';

const { place } = await useSharedCluster();

const root = mkdtempSync(join(tmpdir(), 'journey-'));
const project = join(root, 'website');
/** Without what Jest and the shared cluster of this run put there. */
const { MYDEPLOYMENT_TEST_CLUSTER: _shared, NODE_OPTIONS: _options, ...env } = process.env;
/** A cold npm, a busy machine. */
const PATIENCE_MS = 300_000;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

async function run(command: string, args: readonly string[], cwd = project): Promise<Outcome> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const make = (...targets: readonly string[]) => run('make', targets);
const create = (...words: readonly string[]) => run('npx', ['mydeployment', 'create', ...words]);
/** In an empty folder, from the file. */
const createOperator = (tarball: string, ...words: readonly string[]) =>
  run(
    'npx',
    ['--yes', '--prefer-offline', `--package=${tarball}`, 'mydeployment', 'create', 'operator', ...words],
    root,
  );

/** Replaces every occurrence, and there has to be one. */
function edit(file: string, from: string, to: string): void {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

describe("an operator of somebody else's", () => {
  let tarball: string;

  beforeAll(async () => {
    tarball = await pack(join(root, 'packed'));
  }, PATIENCE_MS);
  afterAll(() => rmSync(root, { recursive: true }));

  it(
    'is created in an empty folder, and not a second time',
    async () => {
      const words = ['website', '--group', 'example.com', '--kind', 'Website'];
      const created = await createOperator(tarball, ...words);
      expect(created.output).toContain('Next:\n  cd website\n  make test\n  make run\n');
      const again = await createOperator(tarball, ...words);
      expect(again).toMatchObject({ code: 1, output: expect.stringContaining('there already, and not overwritten') });
    },
    PATIENCE_MS,
  );

  it(
    'takes a webhook and a second kind, and its tests are green',
    async () => {
      expect(await make('generate')).toMatchObject({ code: 0 });
      expect(await create('webhook', '--kind', 'Website')).toMatchObject({ code: 0 });
      expect(await create('kind', '--kind', 'StaticPage')).toMatchObject({ code: 0 });
      const tested = await make('test');
      expect(tested.output).toMatch(/ℹ fail 0\n/);
      expect(tested.code).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'takes a second version with a renamed field',
    async () => {
      const folder = 'src/kinds/static-page';
      expect(await create('version', '--kind', 'StaticPage', '--version', 'v1beta1')).toMatchObject({ code: 0 });
      edit(`${folder}/schema.ts`, 'text: { type', 'content: { type');
      edit(`${folder}/schema.ts`, "required: ['text']", "required: ['content']");
      edit(`${folder}/plan.ts`, 'const { text }', 'const { content: text }');
      for (const test of ['plan', 'static-page'])
        edit(`test/static-page/${test}.test.ts`, 'spec: { text:', 'spec: { content:');

      const forgotten = await make('test');
      expect(forgotten).toMatchObject({ code: 2, output: expect.stringContaining("Property 'content' is missing") });
      edit(
        `${folder}/v1alpha1.ts`,
        'toStored: (object) => ({ ...object, spec: { ...object.spec } })',
        'toStored: ({ spec: { text, ...spec }, ...object }) => ({ ...object, spec: { ...spec, content: text } })',
      );
      edit(
        `${folder}/v1alpha1.ts`,
        'fromStored: (object) => ({ ...object, spec: { ...object.spec } })',
        'fromStored: ({ spec: { content, ...spec }, ...object }) => ({ ...object, spec: { ...spec, text: content } })',
      );
      const tested = await make('test');
      expect(tested.output).toMatch(/ℹ fail 0\n/);
      expect(tested.code).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'follows the tutorial',
    async () => {
      const words = ['imooc', '--group', 'batch.tutorial.kubebuilder.io', '--kind', 'ImoocPod'];
      expect(await createOperator(tarball, ...words)).toMatchObject({ code: 0 });
      const imooc = join(root, 'imooc');
      const files = tutorialFiles();
      expect([...files.keys()].filter((path) => !existsSync(join(imooc, path)))).toEqual([]);
      for (const [path, text] of files) writeFileSync(join(imooc, path), text);
      cpSync(join(project, 'node_modules'), join(imooc, 'node_modules'), { recursive: true, verbatimSymlinks: true });
      const tested = await run('make', ['test'], imooc);
      expect(tested.output).toMatch(/ℹ tests 5\n[\s\S]*ℹ fail 0\n/);
      expect(tested.code).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'runs, serves the samples in both versions, and leaves nothing running',
    async () => {
      const running = spawn('make', ['run'], {
        cwd: project,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      running.stdout.on('data', (chunk: Buffer) => {
        output += chunk;
      });
      const exited = once(running, 'exit');
      try {
        await eventually(() => expect(output).toContain('Ctrl-C stops everything.'), PATIENCE_MS);
        const kubeconfig = join(project, '.cluster/run/kubeconfig');
        const kubectl = async (...args: readonly string[]): Promise<string> =>
          (await run(place.programs.kubectl, ['--kubeconfig', kubeconfig, ...args])).output;
        await eventually(async () =>
          expect(await kubectl('get', 'websites,staticpages', '-o', 'jsonpath={.items[*].status.readyReplicas}')).toBe(
            '2 2',
          ),
        );
        const text = '-o=jsonpath={.spec.text}{.spec.content}';
        expect(await kubectl('get', 'staticpages.v1alpha1.example.com', 'staticpage-sample', text)).toBe('Hello');
        expect(await kubectl('get', 'staticpages.v1beta1.example.com', 'staticpage-sample', text)).toBe('Hello');
      } finally {
        process.kill(-(running.pid as number), 'SIGINT');
        await exited;
      }
      await eventually(() => expect(existsSync(join(project, '.cluster/run/pid'))).toBe(false));
      expect(readdirSync(join(project, '.cluster/run'))).toEqual(['logs']);
    },
    PATIENCE_MS,
  );
});
