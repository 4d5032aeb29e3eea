// `completion` on a real cluster: what the plugin offers, and what somebody sees who presses Tab in a shell.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runKubectl } from '../../../src/testing/index.ts';
import { eventually } from '../../support/eventually.ts';
import { openTerminal } from '../../support/terminal.ts';
import type { Plugin, Stage } from '../plugin.ts';

const TAB = '\t';
const CTRL_U = '\u0015';

export function completionScenes({ scene, kubeconfig }: Stage, { run, program }: Plugin): void {
  describe('completion', () => {
    it.concurrent(
      'offers commands, flags and the names that are there',
      scene(async (web) => {
        await web.create({ replicas: 0 }, 'shop');
        expect((await run(web.namespace, 'completion', 'bash')).stdout).toContain('complete -F _kubectl_md kubectl-md');
        const complete = async (...words: string[]) => {
          const args = ['__complete', '-n', web.namespace, ...words];
          const { stdout } = await runKubectl(process.execPath, [program, ...args], { kubeconfig });
          return stdout.split('\n').map((line) => line.split('\t')[0]);
        };
        expect(await complete('rollout', 'st')).toEqual(['status', ':4', '']);
        expect(await complete('get', '')).toEqual(['shop', ':4', '']);
        expect(await complete('migrate', '')).toEqual(['md/shop', ':4', '']);
      }),
    );

    it.concurrent(
      'in a shell on a terminal: Tab writes what is left of a word, and lists where there is a choice',
      scene(async (web) => {
        await web.create({ replicas: 0 }, 'shop');
        const folder = mkdtempSync(join(tmpdir(), 'path-'));
        symlinkSync(program, join(folder, 'kubectl-md'));
        const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
        const env = { PATH, KUBECONFIG: kubeconfig, HOME: folder, PS1: '$ ' };
        const shell = await openTerminal(['bash', '--norc', '--noprofile', '-i'], { env });
        const lastLine = (): string => shell.screen().at(-1) ?? '';
        try {
          shell.type('source <(kubectl-md completion bash); clear\n');
          await eventually(() => expect(shell.screen()).toEqual(['$']));
          shell.type(`kubectl-md rollout und${TAB}`);
          await eventually(() => expect(lastLine()).toBe('$ kubectl-md rollout undo'));
          shell.type(`-n ${web.namespace} sh${TAB}`);
          await eventually(() => expect(lastLine()).toBe(`$ kubectl-md rollout undo -n ${web.namespace} shop`));
          shell.type(`${CTRL_U}kubectl-md rollout res${TAB}${TAB}`);
          await eventually(() =>
            expect(shell.screen().slice(-2)).toEqual(['restart  resume', '$ kubectl-md rollout res']),
          );
        } finally {
          shell.close();
          rmSync(folder, { recursive: true });
        }
      }),
    );
  });
}
