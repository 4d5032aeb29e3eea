// The steps of a RolloutPolicy, and what a person decides about them.

import { expect, it } from '@jest/globals';
import { COMPLETED } from '../../../../src/policy/attempt.ts';
import { rolloutPolicies } from '../../../../src/policy/resource.ts';
import type { RolloutPolicySpec } from '../../../../src/policy/types.gen.ts';
import { rolling, version } from '../../../e2e/scene.ts';
import { json, type MisbehavingServer, sample } from '../../../kinds/rollout-policy/misbehaving-server.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Stage } from '../../plugin.ts';
import { axeViolations, type Dashboards } from '../dashboard.ts';
import { ask, confirm } from './actions.ts';
import { picture } from './pictures.ts';

const SPEC: RolloutPolicySpec = {
  targetRef: { name: 'web' },
  steps: [
    { replicas: 1, pause: { until: 'Promoted' } },
    { replicas: '50%', pause: { duration: '1h' } },
  ],
  rollback: {},
};

export function stepScenes(
  { scene }: Stage,
  { serve, open }: Dashboards,
  prometheus: Pick<MisbehavingServer, 'answer'>,
): void {
  it.concurrent(
    'the steps of a policy wait for a person, who promotes, aborts and retries on the page',
    scene(async (web) => {
      await web.client.create(rolloutPolicies, { metadata: web.ref('web'), spec: SPEC });
      await web.create({ replicas: 10, ...rolling(1, 0), ...version('v1') });
      await eventually(async () => {
        const [revision] = await web.revisions();
        expect(revision?.metadata.annotations).toMatchObject({ [COMPLETED]: '1' });
      });
      await web.change(version('v2'));
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      const served = await serve(['-n', web.namespace]);
      const page = await open(served);
      const waiting = page.locator('.group-waits tr', { hasText: 'web' });
      await eventually(async () =>
        expect(await waiting.locator('.message').textContent()).toBe(
          'revision 2 is at step 1 of 2, 1 pod, waits for promotion',
        ),
      );
      await waiting.locator('a').click();
      // So that a screen reader goes on from there.
      await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe('web'));
      const here = page.locator('.steps [aria-current=step]');
      await eventually(async () => expect(await here.textContent()).toMatch(/^step 11 podwaits for promotion, /));
      expect(await axeViolations(page)).toEqual([]);

      expect(await page.getByRole('toolbar').locator('button.primary').allTextContents()).toEqual(['Promote…']);
      await page.getByRole('button', { name: 'Promote…' }).click();
      await confirm(page, 'Promote', /^On to step 2 of 2, 50% = 5 pods\..*kubectl md rollout promote web /s);
      expect(await page.locator('.done').textContent()).toMatch(/^promoted: /);
      await eventually(async () => expect(await here.textContent()).toMatch(/^step 250% = 5 pods/));
      await web.condition('Reconciling', 'True', 'StepPaused');
      expect(await web.images()).toEqual({ 'web:v1': 5, 'web:v2': 5 });

      const late = { verb: 'promote', namespace: web.namespace, name: 'web', attempt: '2/1' };
      expect(await ask(served.address, 'act', late)).toMatchObject({
        problem: expect.stringContaining('has moved on'),
      });
      await page.getByRole('button', { name: 'Abort…' }).click();
      await confirm(page, 'Abort', /^Rejects revision 2 and goes back to revision 1; the spec stays as it is\./);
      await eventually(async () => expect(await web.images()).toEqual({ 'web:v1': 10 }));
      await page.locator('.history .badge-rejected').waitFor();
      expect(await page.locator('.standing').textContent()).toContain('revision 2 was aborted');

      await page.getByRole('button', { name: 'Retry…' }).click();
      await confirm(page, 'Retry', /^Tries revision 2 again, from step 1 of 2, 1 pod\./);
      await web.condition('Reconciling', 'True', 'AwaitingPromotion');
      expect(await web.images()).toEqual({ 'web:v1': 9, 'web:v2': 1 });
      expect(page.problems).toEqual([]);
    }),
  );

  it.concurrent(
    'the steps of a policy show the last values of their gates, and a gate that cannot be measured needs a person',
    scene(async (web) => {
      let measured = 0;
      prometheus.answer = (...asked) => sample((0.2 + 0.1 * Math.sin(measured++)).toFixed(2))(...asked);
      const errors = { name: 'errors', prometheus: { query: 'up', max: '0.5' }, interval: '1s', count: 1000 };
      const [first, second] = SPEC.steps ?? [];
      const steps = [
        { ...first, replicas: '25%', gates: ['errors'] },
        { ...second, replicas: '50%' },
      ];
      await web.client.create(rolloutPolicies, { metadata: web.ref('web'), spec: { ...SPEC, steps, gates: [errors] } });
      await web.create({ replicas: 10, ...rolling(1, 0), ...version('v1') });
      await web.complete();
      await web.change(version('v2'));
      const served = await serve(['-n', web.namespace]);
      const page = await open(served, `#/MyDeployment/${web.namespace}/web`);
      const here = page.locator('.steps [aria-current=step]');
      await eventually(async () =>
        expect(await here.textContent()).toMatch(/waits for gate "errors", \S+ so farwaits for promotion, /),
      );
      await eventually(async () =>
        expect(await here.locator('.evidence').textContent()).toMatch(
          /^gate "errors" \(Pending\): \d+ of 1000 measurements were good.*at most 0.5 is good/,
        ),
      );
      const points = async (): Promise<number> =>
        (await here.locator('.spark .line').getAttribute('d'))?.split('L').length ?? 0;
      await eventually(async () => expect(await points()).toBeGreaterThan(8));
      expect(await here.locator('.plot').textContent()).toMatch(/^Last value of errors: 0\.\d+$/);
      await picture(page, 'steps');
      expect(await axeViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page)).toEqual([]);

      prometheus.answer = json({}, 500);
      const overview = await open(served);
      const broken = overview.locator('.group-fails tr', { hasText: 'web' });
      await eventually(async () => expect(await broken.textContent()).toMatch(/waits for gate "errors": .*HTTP 500/));
      expect(page.problems).toEqual([]);
    }),
  );
}
