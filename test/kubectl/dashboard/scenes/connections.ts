// Connections that are cut, between the server and the cluster and between the page and the server, and a tab that slept.

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { version } from '../../../e2e/scene.ts';
import { eventually } from '../../../support/eventually.ts';
import { TcpProxy } from '../../../support/tcp-proxy.ts';
import type { Stage } from '../../plugin.ts';
import { type Dashboards, kubeconfigFile } from '../dashboard.ts';

export function connectionScenes({ scene, kubeconfig, server }: Stage, { serve, open }: Dashboards): void {
  it.concurrent(
    'a cut connection to the cluster is told, on the page and in the terminal, and so is its return',
    scene(async (web) => {
      await web.create({ replicas: 1, ...version('v1') });
      await web.complete();
      const proxy = await TcpProxy.to(server);
      try {
        const file = kubeconfigFile(readFileSync(kubeconfig, 'utf8').replaceAll(server, proxy.url));
        const served = await serve(['-n', web.namespace], file);
        const page = await open(served, `#/MyDeployment/${web.namespace}/web`);
        await page.locator('button.cell').first().waitFor();
        proxy.cut('reset');
        await web.change({ replicas: 2 });
        await eventually(async () => expect(await page.locator('button.cell').count()).toBe(2));
        proxy.refuse();
        proxy.cut('reset');
        await page.locator('.banner', { hasText: 'The cluster is away' }).waitFor();
        expect(served.said()).toContain('The cluster is away: ');
        await web.change({ replicas: 3 });
        proxy.heal();
        await eventually(async () => expect(await page.locator('button.cell').count()).toBe(3));
        await page.locator('.banner:not(.is-shown)').waitFor({ state: 'attached' });
        expect(served.said()).toContain('The cluster is back.');

        await served.interrupt();
        await page.locator('.banner', { hasText: 'This page is old.' }).waitFor();
      } finally {
        await proxy.close();
      }
    }),
  );

  it.concurrent(
    'a tab that sleeps costs nothing, and catches up when it wakes',
    scene(async (web) => {
      await web.create({ replicas: 1 });
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await page.locator('button.cell').first().waitFor();
      const see = (state: string): Promise<unknown> =>
        page.evaluate(`
            Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
          `);
      await see('hidden');
      await web.change({ replicas: 3 });
      await web.complete();
      expect(await page.locator('button.cell').count()).toBe(1);
      await see('visible');
      await eventually(async () => expect(await page.locator('button.cell.is-ready').count()).toBe(3));
      expect(page.problems).toEqual([]);
    }),
  );
}
