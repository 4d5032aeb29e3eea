// Several MyDeployments at once on a real cluster: by name, with labels, from files, in all namespaces; and JSONPath, in
// which `kubectl get` judges what is right.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runKubectl } from '../../../src/testing/index.ts';
import { version } from '../../e2e/scene.ts';
import { jsonpathTemplates } from '../jsonpath/templates.ts';
import type { Plugin, Stage } from '../plugin.ts';

const named = (name: string): string => `mydeployment.kubebuilder.zq.com/${name}`;
const missing = (name: string): string =>
  `Error from server (NotFound): mydeployments.kubebuilder.zq.com "${name}" not found\n`;

export function selectionScenes({ scene, kubeconfig }: Stage, { run, program }: Plugin): void {
  describe('several MyDeployments', () => {
    it.concurrent(
      'by name and with labels: each is shown, edited and waited for; one that is missing stops no other',
      scene(async (web) => {
        const { namespace } = web;
        await web.create({ replicas: 1, ...version('v1') }, 'one', { labels: { team: 'a' } });
        await web.create({ replicas: 1, ...version('v1') }, 'two', { labels: { team: 'a' } });
        await web.create({ replicas: 1, ...version('v1') }, 'three', { labels: { team: 'b' } });
        const waited = await run(namespace, 'rollout', 'status', 'one', 'two', 'three');
        expect(waited.code).toBe(0);
        expect(waited.stdout.match(/^mydeployment "\w+" successfully rolled out$/gm)).toHaveLength(3);

        const row = (name: string): string => `${name} +1/1 +1 +1 +\\d+s\\n`;
        const listed = await run(namespace, 'get', '-l', 'team=a');
        expect(listed.stdout).toMatch(new RegExp(`^NAME .*\\n${row('one')}${row('two')}$`));
        const some = await run(namespace, 'get', 'three', 'none', 'one');
        expect(some).toEqual({ code: 1, stdout: expect.anything(), stderr: missing('none') });
        expect(some.stdout).toMatch(new RegExp(`^NAME .*\\n${row('three')}${row('one')}$`));
        expect((await run(namespace, 'get', '-l', 'team', '-o', 'name')).stdout).toBe(
          `${named('one')}\n${named('three')}\n${named('two')}\n`,
        );

        expect(await run(namespace, 'rollout', 'pause', 'one', 'none', 'two')).toEqual({
          code: 1,
          stdout: `${named('one')} paused\n${named('two')} paused\n`,
          stderr: missing('none'),
        });
        expect(await run(namespace, 'rollout', 'resume', '-l', 'team')).toEqual({
          code: 1,
          stdout: `${named('one')} resumed\n${named('two')} resumed\n`,
          stderr: 'error: mydeployments.kubebuilder.zq.com "three" is not paused\n',
        });
        const images = await run(namespace, 'set', 'image', 'one', 'two', 'web=web:v2');
        expect(images.stdout).toBe(`${named('one')} image updated\n${named('two')} image updated\n`);
        const undone = await run(namespace, 'rollout', 'status', '-l', 'team=a');
        expect(undone.code).toBe(0);
        const history = await run(namespace, 'rollout', 'history', 'one', 'three');
        expect(history.stdout).toBe(
          `${named('one')}\nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n${named('three')}\nREVISION  CHANGE-CAUSE\n1         <none>\n`,
        );
        const why = await run(namespace, 'why', '-l', 'team=a');
        expect(why.stdout).toMatch(/^mydeployment\/one\n● .*\n\nmydeployment\/two\n● .*\n$/);
        const none = { code: 0, stdout: '', stderr: `No resources found in ${namespace} namespace.\n` };
        for (const command of [['get'], ['rollout', 'restart'], ['rollout', 'status'], ['why']]) {
          expect(await run(namespace, ...command, '-l', 'team=none')).toEqual(none);
        }
      }),
    );

    it.concurrent(
      'from files, and in all namespaces',
      scene(async (web) => {
        const { namespace } = web;
        await web.create({ replicas: 1, ...version('v1') }, 'one', { labels: { only: namespace } });
        await web.complete('one');
        const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
        const file = join(folder, 'one.yaml');
        try {
          writeFileSync(
            file,
            `apiVersion: v1\nkind: Service\nmetadata: { name: one }\n---\n${await web.kubectl('get', 'md', 'one', '-o', 'json')}`,
          );
          const restarted = await runKubectl(process.execPath, [program, 'rollout', 'restart', '-f', file], {
            kubeconfig,
          });
          expect(restarted).toEqual({ code: 0, stdout: `${named('one')} restarted\n`, stderr: '' });
          expect((await run(namespace, 'rollout', 'status', '-f', folder)).stdout).toContain('successfully rolled out');
          expect((await run(namespace, 'get', '-f', file)).stdout).toContain('└─ revision 2 new');
          const elsewhere = await run('default', 'get', '-f', file);
          expect(elsewhere.stderr).toMatch(
            /^error: the namespace from the provided object ".*" does not match the namespace "default"/,
          );

          const all = await run('default', 'get', '-A', '-l', `only=${namespace}`);
          expect(all.stdout).toMatch(new RegExp(`^NAMESPACE +NAME +READY .*\\n${namespace} +one +1/1 .*\\n$`));
          const why = await run('default', 'why', '-A', '-l', `only=${namespace}`);
          expect(why.stdout).toBe(
            `mydeployment/one in namespace ${namespace}\n● Nothing is wrong: its 1 replica is updated and available.\n`,
          );
          const none = await run('default', 'get', '-A', '-l', 'only=none');
          expect(none).toEqual({ code: 0, stdout: '', stderr: 'No resources found\n' });
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
    );

    it.concurrent(
      'JSONPath prints what kubectl prints, of one object and of a list',
      scene(async (web) => {
        const { namespace } = web;
        const labels = { 'example.com/tier': 'front' };
        await web.create({ replicas: 2, ...version('v1') }, 'web', { labels });
        await web.create({ replicas: 1, ...version('v1') }, 'shop', { labels });
        await web.complete('web');
        await web.complete('shop');
        // All templates in one, since every call starts two programs.
        const output = `-ojsonpath=${jsonpathTemplates.join('\n')}`;
        for (const what of [['web'], []]) {
          const native = await web.kubectl('get', 'md', ...what, output);
          const ours = await run(namespace, 'get', ...what, output);
          expect(ours.stdout.split('\n')).toEqual(native.split('\n'));
        }
      }),
    );
  });
}
