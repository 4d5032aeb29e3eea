// `get` on a real cluster: the tree once, and the live view on a terminal that is resized, cut off and interrupted.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BEHAVIOUR } from '../../../src/testing/index.ts';
import { rolling, version } from '../../e2e/scene.ts';
import { eventually } from '../../support/eventually.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import type { Plugin, Stage } from '../plugin.ts';

const ESC = '\u001b';
const CTRL_C = '\u0003';

export function getScenes({ scene, kubeconfig, server }: Stage, { run, open, start }: Plugin): void {
  describe('get', () => {
    it.concurrent(
      'once: the object, its revisions and its pods, in a pipe and on a terminal; and other formats',
      scene(async (web) => {
        expect(await run(web.namespace, 'get')).toEqual({
          code: 0,
          stdout: '',
          stderr: `No resources found in ${web.namespace} namespace.\n`,
        });
        await web.create({ replicas: 2, ...version('v1') });
        await web.complete();
        const [one, other] = (await web.active()).map(({ metadata }) => metadata.name);
        const { code, stdout } = await run(web.namespace, 'get', 'web');
        expect(code).toBe(0);
        expect(stdout).toContain('mydeployment/web  Healthy: all replicas are updated and available');
        expect(stdout).toContain('└─ revision 1 new');
        for (const pod of [one, other])
          expect(stdout).toMatch(new RegExp(`─ ${pod} +✔ Running +1/1 +0 +\\d+s +node-\\d`));

        const terminal = await open(web.namespace, ['get', 'web'], { columns: 60 });
        expect(await terminal.exited).toBe(0);
        expect(terminal.screen()[0]).toBe('mydeployment/web  Healthy: all replicas are updated and ava…');
        const all = await run(web.namespace, 'get');
        expect(all.stdout).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 +\d+s\n$/);
        const json = await run(web.namespace, 'get', 'web', '-o', 'json');
        expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'MyDeployment', metadata: { name: 'web' } });
        const name = await run(web.namespace, 'get', 'web', '-oname');
        expect(name.stdout).toBe('mydeployment.kubebuilder.zq.com/web\n');
      }),
    );

    it.concurrent(
      'live: follows a rollout to its end, fits a smaller terminal, and gives the terminal back at Ctrl-C',
      scene(async (web) => {
        await web.create({ replicas: 4, ...rolling(1, 1), ...version('v1') });
        await web.complete();
        const terminal = await open(web.namespace, ['get', 'web', '-w'], { columns: 110, rows: 30 });
        await eventually(() => expect(terminal.screen()[0]).toContain('Healthy'));
        expect(terminal.isOnOtherScreen).toBe(true);
        await web.change(version('v2', { [BEHAVIOUR]: 'not-ready' }));
        await eventually(() => {
          const screen = terminal.screen().join('\n');
          expect(screen).toMatch(/Progressing: .* \(RollingOut\)\n/);
          expect(screen).toMatch(/├─ revision 2 new .*web:v2/);
          expect(screen).toMatch(/└─ revision 1 old .*web:v1/);
        });
        terminal.resize(60, 8);
        await eventually(() => {
          const screen = terminal.screen();
          expect(screen.length).toBeLessThanOrEqual(8);
          expect(screen.at(-1)).toMatch(/^… \d+ more$/);
          expect(Math.max(...screen.map((line) => line.length))).toBeLessThanOrEqual(60);
        });
        terminal.resize(110, 30);
        await web.change(version('v3'));
        await eventually(() => {
          const screen = terminal.screen();
          expect(screen[0]).toBe('mydeployment/web  Healthy: all replicas are updated and available');
          expect(screen.join('\n')).toContain('revision 3');
          expect(screen.join('\n')).not.toMatch(/revision [12]/);
        });
        terminal.type(CTRL_C);
        expect(await terminal.exited).toBe(130);
        expect(terminal.isOnOtherScreen).toBe(false);
        expect(terminal.raw.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(terminal.raw.lastIndexOf(`${ESC}[?25l`));
        expect(terminal.screen()[0]).toContain('Healthy'); // the last picture stays
        expect(terminal.raw).not.toContain(`${ESC}[2J`); // never cleared as a whole: that is what flickers
      }),
    );

    it.concurrent(
      'live: a connection that is cut is told, and mended',
      scene(async (web) => {
        await web.create({ replicas: 1, ...version('v1') });
        await web.complete();
        const proxy = await TcpProxy.to(server);
        const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
        const config = join(folder, 'through-proxy');
        writeFileSync(config, readFileSync(kubeconfig, 'utf8').replaceAll(server, proxy.url));
        try {
          const terminal = await open(web.namespace, ['get', 'web', '-w', `--kubeconfig=${config}`]);
          await eventually(() => expect(terminal.screen()[0]).toContain('Healthy'));
          proxy.refuse();
          proxy.cut('reset');
          await eventually(() =>
            expect(terminal.screen().at(-1)).toBe('the connection is cut: this picture may be old'),
          );
          await web.change(version('v2'));
          await web.complete();
          proxy.heal();
          await eventually(() => {
            const screen = terminal.screen().join('\n');
            expect(screen).toContain('revision 2 new');
            expect(screen).not.toContain('the connection is cut');
          });
          terminal.type(CTRL_C);
          expect(await terminal.exited).toBe(130);
        } finally {
          await proxy.close();
          rmSync(folder, { recursive: true });
        }
      }),
    );

    it.concurrent(
      'live in a pipe: the tree, then a line for each change, until the object is gone',
      scene(async (web) => {
        await web.create({ replicas: 1, ...version('v1') });
        await web.complete();
        const following = start(web.namespace, 'get', 'web', '-w');
        await eventually(() => expect(following.stdout()).toContain('Healthy'));
        await web.change(version('v2', { [BEHAVIOUR]: 'not-ready' }));
        await eventually(() =>
          expect(following.stdout()).toMatch(/\nmydeployment\/web {2}Progressing: .*; 1 new, 1 old, \d unavailable\n/),
        );
        await web.change(version('v3'));
        await web.complete();
        await web.delete();
        expect(await following.exited).toBe(0);
        const stdout = following.stdout();
        expect(stdout).toContain('MyDeployment/web');
        expect(stdout).toMatch(/\nthe object has been deleted\n$/);
        expect(stdout).not.toContain('\u001b');
      }),
    );
  });
}
