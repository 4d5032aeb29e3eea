// What the page shows.

import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CHANGE_CAUSE } from '../../../../src/kinds/my-deployment/plan/record.ts';
import { BEHAVIOUR, READY_AFTER, TERMINATE_AFTER } from '../../../../src/testing/index.ts';
import { rolling, type Scene, version } from '../../../e2e/scene.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Plugin, Stage } from '../../plugin.ts';
import { axeViolations, type Dashboards, type OpenPage } from '../dashboard.ts';
import { picture } from './pictures.ts';

const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

/** Pods come slowly, so that there is a rollout to look at. */
const SLOW = { [READY_AFTER]: '300s', [TERMINATE_AFTER]: '1s' };

async function fleet(web: Scene): Promise<void> {
  await web.create({ replicas: 4, ...version('v1') }, 'api');
  await web.create({ replicas: 10, ...rolling(3, 2), ...version('v1') }, 'checkout');
  await web.create({ replicas: 6, ...rolling(2, 1), ...version('v1') }, 'search');
  await web.create({ replicas: 5, ...version('v1') }, 'cart');
  await Promise.all(['api', 'checkout', 'search', 'cart'].map((name) => web.complete(name)));
  await web.change(version('v2', SLOW), 'checkout');
  await web.change(version('v2', { [BEHAVIOUR]: 'crash' }), 'search');
  await web.change({ paused: true, ...version('v2') }, 'cart');
  await web.reach({ updatedReplicas: 5 }, 'checkout');
}

export function viewScenes({ scene }: Stage, { serve, open }: Dashboards, plugin: Plugin): void {
  it.concurrent(
    'the overview shows what waits for a person first, then what moves, then what fails, then the rest, and is searched with the keys',
    scene(async (web) => {
      await fleet(web);
      const page = await open(await serve(['-n', web.namespace]));
      await eventually(async () =>
        expect(await texts(page, '.group h2, .items th a')).toEqual([
          'Waits for a person 1',
          'cart',
          'Moves 1',
          'checkout',
          'Fails 1',
          'search',
          'At rest 1',
          'api',
        ]),
      );
      expect(await page.locator('.group-fails .says').textContent()).toContain('3 pods fail');
      expect(await page.locator('.group-fails .bar').getAttribute('aria-label')).toBe('3 failing, 5 old');
      await picture(page, 'overview');
      expect(await axeViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, 'dark');
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });

      await web.create({ replicas: 1 }, 'new');
      await page.locator('.items th a', { hasText: 'new' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('check');
      expect(await texts(page, '.items th a')).toEqual(['checkout']);
      await page.keyboard.press('Enter');
      await page.locator('h1', { hasText: 'checkout' }).waitFor();
      await page.locator('button.cell').first().focus();
      await page.keyboard.press('Escape');
      await page.locator('h1', { hasText: web.namespace }).waitFor();
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the page of a rollout shows revisions as rows and pods as cells, which change as pods become ready, between floor and ceiling',
    scene(async (web) => {
      await web.create({ replicas: 10, ...rolling(3, 2), ...version('v1') }, 'web', causedBy('first release').metadata);
      await web.complete();
      await web.patch({ ...causedBy('a faster search'), spec: version('v2', SLOW) });
      await web.reach({ updatedReplicas: 5 });
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      const cells = () => counts(page);
      await eventually(async () => expect(await cells()).toEqual({ 'new is-starting': 5, 'old is-ready': 8 }));
      const moving = (): Promise<unknown> => page.evaluate('document.getAnimations().length');
      expect(await moving()).toBe(0);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await eventually(async () => expect(await moving()).toBe(5));
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await texts(page, '.capacity dt, .capacity b')).toEqual([
        '13 pods',
        'at most 13',
        '8 available',
        'at least 8',
      ]);
      expect(await texts(page, '.history tbody th, .history .cause-text')).toEqual([
        '2present',
        'a faster search',
        '1',
        'first release',
      ]);
      await page.getByRole('button', { name: 'Compare revision 1 with the present' }).click();
      const diff = page.getByLabel('What changed from revision 1 to the present one');
      await eventually(async () => expect(await diff.textContent()).toContain('+    - image: web:v2'));
      expect(await axeViolations(page)).toEqual([]);
      await diff.scrollIntoViewIfNeeded();
      await picture(page, 'diff');

      for (const pod of (await web.active())
        .filter(({ spec }) => spec?.containers[0]?.image === 'web:v2')
        .slice(0, 2)) {
        await web.patchPod(pod, { metadata: { annotations: { [READY_AFTER]: '0s' } } });
      }
      await eventually(async () => expect((await cells())['new is-ready']).toBe(2));
      await picture(page, 'rollout', true);
      await page.locator('.is-new button.cell').first().focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('dialog');
      await panel.getByRole('tab', { name: 'YAML' }).click();
      await eventually(async () => expect(await panel.textContent()).toContain('image: web:v2'));
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await picture(page, 'narrow');
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the page of a rollout asks for the log of the container that is chosen, of several',
    scene(async (web) => {
      const named = (name: string) => ({ name, image: `${name}:1` });
      const metadata = { annotations: { 'kubectl.kubernetes.io/default-container': 'side' } };
      const spec = { initContainers: [named('setup')], containers: [named('main'), named('side')] };
      await web.create({ replicas: 1, template: { metadata, spec } });
      await web.complete();
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      const asked = (): Promise<string | null> =>
        page
          .waitForRequest(/\/logs\?/)
          .then((request) => new URL(request.url()).searchParams)
          .then((query) => `${query.get('container')}${query.get('previous') === 'true' ? ', previous' : ''}`);
      let request = asked();
      await page.locator('button.cell').first().click();
      expect(await request).toBe('side');
      const panel = page.getByRole('dialog');
      expect(await panel.locator('option').allTextContents()).toEqual(['side', 'main', 'setup']);
      request = asked();
      await panel.getByLabel('Container').selectOption('setup');
      expect(await request).toBe('setup');
      request = asked();
      await panel.getByRole('tab', { name: 'Log', exact: true }).press('ArrowRight');
      expect(await request).toBe('setup, previous');
      expect(await axeViolations(page)).toEqual([]);
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the page of a rollout shows a log from its end, until somebody scrolls away from it',
    scene(async (web) => {
      await web.create({ replicas: 1 });
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await page.locator('button.cell').first().waitFor();
      // Nodes without a kubelet have no logs.
      await page.evaluate(`
          const asked = globalThis.fetch;
          const lines = (count) => new TextEncoder().encode('a line\\n'.repeat(count));
          const body = new ReadableStream({ start: (log) => { globalThis.log = (count) => log.enqueue(lines(count)); } });
          globalThis.fetch = (...call) => String(call[0]).startsWith('logs') ? Promise.resolve(new Response(body)) : asked(...call);
        `);
      await page.locator('button.cell').first().click();
      const panel = page.getByRole('dialog');
      await panel.locator('.nothing', { hasText: 'Nothing yet.' }).waitFor();
      const write = (count: number): Promise<unknown> => page.evaluate(`globalThis.log(${count})`);
      const written = async (count: number): Promise<void> =>
        eventually(async () =>
          expect((await panel.locator('.text').textContent())?.split('\n')).toHaveLength(count + 1),
        );
      const place = (): Promise<unknown> =>
        panel.locator('.text').evaluate((log) => {
          return log.scrollTop === 0
            ? 'start'
            : log.scrollTop + log.clientHeight > log.scrollHeight - 20
              ? 'end'
              : 'middle';
        });
      await write(200);
      await written(200);
      await eventually(async () => expect(await place()).toBe('end'));
      await panel.locator('.text').focus();
      await page.keyboard.press('Home');
      await eventually(async () => expect(await place()).toBe('start'));
      await write(100);
      await written(300);
      expect(await place()).toBe('start');
      await page.keyboard.press('End');
      await eventually(async () => expect(await place()).toBe('end'));
      await write(100);
      await written(400);
      await eventually(async () => expect(await place()).toBe('end'));
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the page of a rollout says of a failed rollout what kubectl md why says',
    scene(async (web) => {
      await web.create({ replicas: 4, ...version('v1') });
      await web.complete();
      await web.change({ progressDeadlineSeconds: 2, ...version('v2', { [BEHAVIOUR]: 'image-pull-error' }) });
      await web.condition('Progressing', 'False', 'ProgressDeadlineExceeded');
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await eventually(async () => {
        const { stdout } = await plugin.run(web.namespace, 'why', 'web');
        const said = stdout.split('\n').flatMap((line) => /^● (.*)/.exec(line)?.[1] ?? []);
        expect(said.length).toBeGreaterThan(1);
        const shown = await texts(page, '.cause p:first-child');
        expect(shown.map(withoutTimes)).toEqual(said.map(withoutTimes));
      });
      expect(await page.locator('.sentence').textContent()).toMatch(/Degraded exceeded its progress deadline/);
      await picture(page, 'failed', true);
      await page.locator('button.cell.is-failing').first().click();
      await page.getByRole('dialog').locator('.problem').waitFor();
      expect(await page.getByRole('dialog').locator('.problem').textContent()).toMatch(/^Error from server/);
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the page of a rollout shows names and annotations as text, whatever they say',
    scene(async (web) => {
      const evil = '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202E\u001B[2J';
      await web.create({ replicas: 1, ...version('v1', { evil }) }, 'web', causedBy(evil).metadata);
      await web.complete();
      await web.change(version('v2', { evil: `${evil}2` }));
      await web.complete();
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await page.getByRole('button', { name: 'Compare revision 1' }).click();
      await page.locator('.diff .came').first().waitFor();
      expect(await page.locator('.cause-text').first().textContent()).toBe(
        '<img src=x onerror="document.title=1"><script>alert(1)</script>\\u202e\\u001b[2J',
      );
      expect(await page.locator('.diff').textContent()).toContain('<script>alert(1)</script>');
      expect(await page.locator('#page img, #page script').count()).toBe(0);
      await page.goto(`${page.url().split('#')[0]}#/MyDeployment/${encodeURIComponent('<b>')}/x`);
      await page.locator('.nothing').first().waitFor();
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the other kinds show their nodes, children, changes and pods',
    scene(async (web) => {
      await web.kubectl('apply', '-f', 'samples/');
      const served = await serve(['-n', web.namespace]);
      const page = await open(served);
      await eventually(async () =>
        expect(await texts(page, '.kinds a')).toEqual([
          'MyDeployment1',
          'MyDaemonSet1',
          'ModelBox1',
          'Collector1',
          'ImoocPod1',
        ]),
      );
      const expected = {
        MyDaemonSet: /node-0 Running/,
        ModelBox: /deployment\/modelbox-sample 4\/4 ready.*service\/modelbox-sample/s,
        Collector: /mydeployment-sample.*created/s,
        ImoocPod: /3 ready/,
      };
      for (const [kind, words] of Object.entries(expected)) {
        await page.goto(`${served.address}#/${kind}/${web.namespace}/${kind.toLowerCase()}-sample`);
        await eventually(async () => expect(await page.locator('main').textContent()).toMatch(words));
        expect(await axeViolations(page)).toEqual([]);
      }
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'a thousand pods are drawn as they come, in a page that goes on answering',
    scene(async (web) => {
      await web.create({ replicas: 0 });
      const page = await open(await serve(['-n', web.namespace]), `#/MyDeployment/${web.namespace}/web`);
      await page.locator('.capacity').waitFor();
      await page.evaluate(`
          globalThis.pictures = 0;
          new MutationObserver(() => globalThis.pictures++).observe(document.body, { subtree: true, childList: true });
        `);
      const began = performance.now();
      await web.change({ replicas: 1_000 });
      await eventually(async () => expect(await page.locator('button.cell').count()).toBeGreaterThan(50));
      await page.getByRole('button', { name: 'Pause…' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await eventually(async () => expect((await counts(page))['new is-ready']).toBe(1_000));
      const seconds = (performance.now() - began) / 1_000;
      const pictures = await page.evaluate('globalThis.pictures');
      // Ten frames a second, and a few pictures for the dialog and the ages.
      expect(pictures).toBeLessThan(seconds * 13 + 20);
      expect(page.problems).toEqual([]);
    }),
  );
}

/** How many cells there are in rows of new and of old revisions, by their state. */
async function counts(page: OpenPage): Promise<Record<string, number>> {
  const classes = await page
    .locator('button.cell')
    .evaluateAll((cells) =>
      cells.map((cell) => `${cell.closest('.is-old') ? 'old' : 'new'} ${cell.className.replace('cell ', '')}`),
    );
  return Object.fromEntries([...Map.groupBy(classes, (name) => name)].map(([name, all]) => [name, all.length]));
}

function causedBy(cause: string): { readonly metadata: object } {
  return { metadata: { annotations: { [CHANGE_CAUSE]: cause } } };
}

/** Both are asked a moment apart. */
function withoutTimes(sentence: string): string {
  return sentence.replaceAll(/\b\d+[smh]\d*s?\b/g, 'TIME');
}
