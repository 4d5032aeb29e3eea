// Who may what: the page has the rights of the caller and no more, and answers nobody else.

import { expect, it } from '@jest/globals';
import { serviceAccounts } from '../../../../src/runtime/built-in.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Stage } from '../../plugin.ts';
import { axeViolations, type Dashboards } from '../dashboard.ts';
import { ask } from './actions.ts';

export function rightsScenes(stage: Stage, { serve, open }: Dashboards): void {
  it.concurrent(
    'a caller who may only look sees everything, and why nothing can be done',
    stage.scene(async (web) => {
      const { namespace } = web;
      await web.create({ replicas: 2 });
      await web.complete();
      await web.client.create(serviceAccounts, { metadata: { namespace, name: 'viewer' } });
      await web.kubectl(
        'create',
        'rolebinding',
        'viewer',
        '--clusterrole=view',
        `--serviceaccount=${namespace}:viewer`,
      );
      const viewer = await stage.serviceAccount(namespace, 'viewer');
      const served = await eventually(() => serve(['-n', namespace], viewer.kubeconfig));
      const page = await open(served, `#/MyDeployment/${namespace}/web`);
      await eventually(async () => expect(await page.locator('button.cell.is-ready').count()).toBe(2));
      await eventually(async () =>
        expect(await page.locator('.refusals').textContent()).toContain(
          `Pause, Restart, Set image, Undo: You may not update mydeployments in namespace "${namespace}"`,
        ),
      );
      await eventually(async () =>
        expect(await page.locator('.refusals').textContent()).toContain('Scale: You may not patch mydeployments/scale'),
      );
      await page.getByRole('button', { name: 'Pause…' }).click({ force: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.locator('.unread').textContent()).toContain('nodes');
      expect(await axeViolations(page)).toEqual([]);
      const answer = await ask(served.address, 'act', { verb: 'pause', namespace, name: 'web' });
      expect(answer).toMatchObject({ problem: expect.stringContaining('Error from server (Forbidden)') });
      expect((await web.get()).spec.paused).toBeFalsy();
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the server answers only with its secret, under its own name, to its own page, and ends with Ctrl-C',
    stage.scene(async (web) => {
      const served = await serve(['-n', web.namespace]);
      const { origin, pathname } = new URL(served.address);
      const status = async (path: string, init: RequestInit = {}): Promise<number> =>
        (await fetch(origin + path, init)).status;
      expect(await status(pathname)).toBe(200);
      expect(await status('/')).toBe(403);
      expect(await status(`/wrong${pathname}`)).toBe(403);
      expect(await status(pathname, { headers: { origin: 'http://evil.example' } })).toBe(403);
      expect(await status(`${pathname}act`, { method: 'POST' })).toBe(403);
      const answer = await fetch(served.address);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(served.said()).toContain('do not share its address');
      expect(await served.interrupt()).toBe(130);
      await expect(status(pathname)).rejects.toThrow('fetch failed');
    }),
  );
}
