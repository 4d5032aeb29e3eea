import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Collector, type CollectorProps } from '../../../src/kinds/collector/construct.ts';

function specOf(props: CollectorProps): object {
  const chart = Testing.chart();
  new Collector(chart, 'count', props);
  return Testing.synth(chart)[0].spec;
}

describe('Collector in a cdk8s app', () => {
  it('points at a workload of the app', () => {
    const chart = Testing.chart();
    const web = new kplus.Deployment(chart, 'web', { containers: [{ image: 'web:1', portNumber: 80 }] });
    const count = new Collector(chart, 'count', { target: web, quietSeconds: 2, historyLimit: 5 });
    expect(count.toJson()).toMatchObject({
      apiVersion: 'collector.ip.my.domain/v1',
      kind: 'Collector',
      spec: { target: { kind: 'Deployment', name: web.name }, quietSeconds: 2, historyLimit: 5 },
    });
  });

  it('points at whatever bears labels', () => {
    expect(specOf({ target: { kind: 'MyDeployment', labels: { app: 'web' } } })).toEqual({
      target: { kind: 'MyDeployment', selector: { matchLabels: { app: 'web' } } },
    });
  });

  const target = { kind: 'Deployment', name: 'web' };

  it.each<{ props: CollectorProps; says: string }>([
    { props: { target: { kind: 'Pod', name: 'x' } }, says: 'cannot observe a Pod, only Deployment and MyDeployment' },
    { props: { target: { kind: 'Deployment', labels: {} } }, says: 'labels must name at least one label' },
    { props: { target, quietSeconds: 0 }, says: 'quietSeconds must be a whole number from 1 to 300, got 0' },
    { props: { target, historyLimit: 101 }, says: 'historyLimit must be a whole number from 1 to 100, got 101' },
  ])('refuses $props', ({ props, says }) => {
    expect(() => specOf(props)).toThrow(`test/count: ${says}`);
  });
});
