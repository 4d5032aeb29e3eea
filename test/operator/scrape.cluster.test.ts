// Alerts and dashboard ask for what a running operator really answers: one that leads, reconciles and has been called by
// the API server is scraped. Families that have nothing to say yet are known by name only.

import { describe, expect, it } from '@jest/globals';
import { alertRules } from '../../src/operator/alert-rules.ts';
import { ROWS } from '../../src/operator/dashboard-panels.ts';
import { useStage } from '../e2e/stage.ts';
import { familiesOf } from '../runtime/metrics/exposition.ts';
import { eventually } from '../support/eventually.ts';
import { metricsIn, unknownIn } from './expression.ts';

const stage = await useStage({ name: 'scrape', operator: { flags: ['--leader-elect'] } });

const expressions = [
  ...alertRules('job="operator"').map(({ expr }) => expr),
  ...ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
];

/** Those without which a scrape is of an operator that has not begun. */
const BUSY = [
  'leader_election_master_status',
  'controller_runtime_webhook_requests_total',
  'rest_client_requests_total',
  'certificate_expiry_timestamp_seconds',
  'mydeployment_status_condition',
  'mydeployment_rollout_duration_seconds',
];

describe('a scrape of the operator', () => {
  it('has every metric and label that alerts and dashboard ask for', async () => {
    expect(await stage.kubectl(['apply', '-f', 'samples/mydeployment.yaml'])).toMatchObject({ code: 0 });
    const text = await eventually(async () => {
      const scraped = await (await fetch(stage.operator.metricsUrl)).text();
      expect([...familiesOf(scraped).keys()]).toEqual(expect.arrayContaining(BUSY));
      expect(scraped).toMatch(
        /^controller_runtime_reconcile_total\{controller="mydeployment",result="success"\} [1-9]/m,
      );
      return scraped;
    });
    const families = familiesOf(text);
    const silent = new Set(
      [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name).filter((name) => !families.has(name as string)),
    );
    const isSilent = (metric: string): boolean => silent.has(metric.replace(/_(bucket|sum|count)$/, ''));
    const unknown = expressions.flatMap((expression) => unknownIn(expression, families));
    expect(unknown.filter((metric) => !isSilent(metric))).toEqual([]);
    const heard = expressions.flatMap(metricsIn).filter(({ metric }) => metric !== 'up' && !isSilent(metric));
    expect(heard.length).toBeGreaterThan(expressions.length / 2);
  });
});
