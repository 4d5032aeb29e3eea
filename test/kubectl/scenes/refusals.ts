// What goes wrong before anything happens: each is one clear line on standard error, and the exit code is kubectl's.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runKubectl } from '../../../src/testing/index.ts';
import { minimalSpec } from '../../e2e/scene.ts';
import { useOwnCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';
import type { Plugin, Stage } from '../plugin.ts';

export async function refusalScenes({ scene }: Stage, { run, open, program }: Plugin): Promise<void> {
  const bare = await useOwnCluster({ name: 'kubectl-bare', nodes: 1 }); // without our CRDs

  describe('refusals', () => {
    it.concurrent(
      'a missing object, missing rights, a server that is not there: one line and 1',
      scene(async (web) => {
        const none = 'Error from server (NotFound): mydeployments.kubebuilder.zq.com "none" not found';
        expect(await run(web.namespace, 'get', 'none')).toEqual({ code: 1, stdout: '', stderr: `${none}\n` });
        const terminal = await open(web.namespace, ['rollout', 'status', 'none']);
        expect(await terminal.exited).toBe(1);
        expect(terminal.screen()).toEqual([none]);

        const stranger = await run(web.namespace, 'get', 'web', '--as=jane', '--as-group=shop', '--as-group=staff');
        expect(stranger.code).toBe(1);
        expect(stranger.stderr).toBe(
          `Error from server (Forbidden): mydeployments.kubebuilder.zq.com "web" is forbidden: User "jane" cannot get resource "mydeployments" in API group "kubebuilder.zq.com" in the namespace "${web.namespace}"\n`,
        );
        await web.kubectl(
          'create',
          'rolebinding',
          'staff',
          '--clusterrole=mydeployment-mydeployment-viewer-role',
          '--group=staff',
        );
        await eventually(async () => {
          const staff = await run(web.namespace, 'get', '--as=jane', '--as-group=shop', '--as-group=staff');
          expect(staff).toMatchObject({ code: 0, stderr: `No resources found in ${web.namespace} namespace.\n` });
        });

        const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
        const kubeconfig = join(folder, 'away');
        writeFileSync(kubeconfig, AWAY);
        const away = await run(web.namespace, 'get', 'web', `--kubeconfig=${kubeconfig}`);
        expect(away).toEqual({
          code: 1,
          stdout: '',
          stderr: 'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?\n',
        });
        rmSync(folder, { recursive: true });
        const nowhere = await run(web.namespace, 'get', 'web', '--kubeconfig=/nonexistent/config');
        expect(nowhere.stderr).toBe('error: kubeconfig /nonexistent/config does not exist\n');
        const context = await run(web.namespace, 'get', 'web', '--context=moon');
        expect(context.stderr).toMatch(/^error: kubeconfig \S+ has no context "moon"; it has \S+\n$/);
      }),
    );

    it.concurrent('a cluster that does not know the kinds', async () => {
      const { kubeconfig } = bare;
      const missing = await runKubectl(process.execPath, [program, 'get', 'web'], { kubeconfig });
      expect(missing).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: the server has no kind "MyDeployment": install it with kubectl apply -f crds/ -f manifests/\n',
      });

      // One that knows MyDeployments and no policies: only the verbs about those miss them.
      await bare.kubectl(['apply', '--server-side', '-f', 'crds/mydeployments.yaml']);
      const manifest = JSON.stringify({ ...WEB, spec: minimalSpec() });
      await eventually(async () => {
        expect(await bare.kubectl(['apply', '-f', '-'], { input: manifest })).toMatchObject({ code: 0 });
      });
      const md = (...args: string[]) => runKubectl(process.execPath, [program, ...args], { kubeconfig });
      const [shown, followed, because, promoted] = await Promise.all([
        md('get', 'web'),
        md('get', 'web', '-w', '--timeout=1s'),
        md('why', 'web'),
        md('rollout', 'promote', 'web'),
      ]);
      expect(shown.stdout).toMatch(/^mydeployment\/web /);
      expect(followed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mydeployment\/web /) });
      expect(because).toMatchObject({ code: 0, stderr: '' });
      expect(promoted).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: the server has no kind "RolloutPolicy": install it with kubectl apply -f crds/ -f manifests/\n',
      });
    });
  });
}

const WEB = { apiVersion: 'kubebuilder.zq.com/v1beta1', kind: 'MyDeployment', metadata: { name: 'web' } };

const AWAY = `apiVersion: v1
kind: Config
clusters: [{ name: away, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: away, user: { token: none } }]
contexts: [{ name: away, context: { cluster: away, user: away } }]
current-context: away
`;
