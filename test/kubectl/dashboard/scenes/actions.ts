// What a person does on the page: it says what would happen, and does it only when it is confirmed.

import { expect, it } from '@jest/globals';
import { version } from '../../../e2e/scene.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Stage } from '../../plugin.ts';
import { axeViolations, type Dashboards, type OpenPage } from '../dashboard.ts';

export function actionScenes({ scene }: Stage, { serve, open }: Dashboards): void {
  it.concurrent(
    'the actions pause, set image, resume, restart, scale and undo say what will happen, and do it',
    scene(async (web) => {
      await web.create({ replicas: 4, ...version('v1') });
      await web.complete();
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await page.getByRole('button', { name: 'Pause…' }).click();
      await eventually(async () => expect(await told(page)).toContain('No pod is replaced until it is resumed.'));
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect((await web.get()).spec.paused).toBeFalsy();
      await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe('Pause…'));

      await take(page, 'Pause', /No pod is replaced/);
      expect(await page.locator('.done').textContent()).toMatch(/web paused$/);
      expect((await web.get()).spec.paused).toBe(true);
      await page.getByRole('button', { name: 'Resume…' }).waitFor();
      expect(await page.locator('.refusals').textContent()).toContain("can't restart a paused rollout");

      await page.getByRole('button', { name: 'Set image…' }).click();
      await page.getByLabel('Image of web', { exact: true }).fill('web:v2');
      expect(await axeViolations(page)).toEqual([]);
      await confirm(
        page,
        'Set image',
        /It is paused: the new template waits until it is resumed.*kubectl md set image web web=web:v2/s,
      );
      await take(page, 'Resume', /The rollout goes on. There are at most 5 pods at a time, and at least 3 available/);
      await web.complete();
      expect(await web.images()).toEqual({ 'web:v2': 4 });

      const before = new Set((await web.active()).map(({ metadata }) => metadata.uid));
      await take(page, 'Restart', /All 4 pods are replaced/);
      await eventually(async () =>
        expect((await web.active()).some(({ metadata }) => before.has(metadata.uid))).toBe(false),
      );
      await web.complete();

      await page.getByRole('button', { name: 'Scale…' }).click();
      await page.getByLabel('Replicas').fill('2');
      await confirm(page, 'Scale', /2 pods are deleted: 2 instead of 4.*kubectl scale md\/web --replicas=2/s);
      expect((await web.get()).spec.replicas).toBe(2);

      await page.getByRole('button', { name: 'Go back… to revision 1' }).click();
      await confirm(page, 'Undo', /Container web: web:v2 becomes web:v1.*kubectl md rollout undo web --to-revision=1/s);
      expect((await web.complete()).spec.template.spec.containers[0]?.image).toBe('web:v1');
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the actions are not done to an object that another person has changed meanwhile',
    scene(async (web) => {
      await web.create({ replicas: 1, ...version('v1') });
      const { metadata } = await web.complete();
      const { address } = await serve(['-n', web.namespace]);
      await web.change(version('v2'));
      const body = { verb: 'restart', namespace: web.namespace, name: 'web', generation: metadata.generation };
      const answer = await ask(address, 'act', body);
      expect(answer).toMatchObject({
        problem: 'error: It has been changed since you looked: see what the action would do now.',
      });
      expect((await web.get()).spec.template.metadata?.annotations ?? {}).toEqual({});
    }),
  );
}

/** As the page itself sends it. */
export async function ask(address: string, what: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', origin: new URL(address).origin };
  return (await fetch(address + what, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

function told(page: OpenPage): Promise<string | null> {
  return page.locator('.told[role=status]').textContent();
}

async function take(page: OpenPage, label: string, words: RegExp): Promise<void> {
  await page.getByRole('button', { name: `${label}…` }).click();
  await confirm(page, label, words);
}

/** Reads what would happen, and lets it happen. */
export async function confirm(page: OpenPage, label: string, words: RegExp): Promise<void> {
  await eventually(async () => expect(await told(page)).toMatch(words));
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
