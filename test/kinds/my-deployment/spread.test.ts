import { describe, expect, it } from '@jest/globals';
import { plan } from '../../../src/kinds/my-deployment/plan/plan.ts';
import { type Spread, spreadTemplate } from '../../../src/kinds/my-deployment/plan/spread.ts';
import { hashOf, templateOf } from '../../../src/workload/revision.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';
import { myDeployment, NOW, pods, revision, template } from './fixture.ts';

const SELECTOR = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] };
const REVISION = { hash: 'new', aliases: ['old'] };

function constraintsOf(spec: Partial<PodTemplate['spec']>, spread: Spread = 'nodes and zones'): unknown {
  const given = { ...template('v1'), spec: { ...template('v1').spec, ...spec } };
  return spreadTemplate(given, spread, REVISION, SELECTOR).spec.topologySpreadConstraints;
}

describe('a pod whose template says nothing about spreading', () => {
  const labelSelector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'Exists' },
      { key: 'pod-template-hash', operator: 'In', values: ['new', 'old'] },
    ],
  };
  const overNodes = {
    topologyKey: 'kubernetes.io/hostname',
    maxSkew: 3,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector,
  };
  const overZones = { ...overNodes, topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 };

  it.each<{ spread: Spread; constraints: unknown }>([
    { spread: 'nodes and zones', constraints: [overNodes, overZones] },
    { spread: 'nodes', constraints: [overNodes] },
    { spread: 'none', constraints: undefined },
  ])('is spread with the other pods of its revision as the scheduler does by default: $spread', (each) => {
    expect(constraintsOf({}, each.spread)).toEqual(each.constraints);
  });

  it('says nothing by an empty list, as the API server sees it', () => {
    expect(constraintsOf({ topologySpreadConstraints: [] })).toEqual([overNodes, overZones]);
  });

  it('is spread when its template names the default scheduler, which the API server writes into it', () => {
    expect(constraintsOf({ schedulerName: 'default-scheduler' })).toEqual([overNodes, overZones]);
  });
});

describe('a template is left alone', () => {
  it.each<{ name: string; spec: Partial<PodTemplate['spec']> }>([
    {
      name: 'that has constraints',
      spec: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }] },
    },
    { name: 'whose pods another scheduler places', spec: { schedulerName: 'batch' } },
  ])('$name', ({ spec }) => {
    expect(constraintsOf(spec)).toEqual(spec.topologySpreadConstraints);
  });
});

describe('a plan', () => {
  const owner = myDeployment({ version: 'v1', replicas: 3 });
  const recorded = revision(owner, 'v1', { number: 1, replicas: 3, of: 3, ceiling: 4 });
  const running = pods(owner, recorded, [{ readyFor: 60 }, { readyFor: 60 }]);
  const { actions } = plan({ object: owner, revisions: [recorded], pods: running, spread: 'nodes' }, NOW);

  it('spreads new pods, and leaves those that run and the recorded template as they are', () => {
    expect(actions).toEqual([expect.objectContaining({ do: 'createPods', count: 1 })]);
    const values = [hashOf(recorded)];
    expect(actions).toMatchObject([
      {
        source: {
          hash: hashOf(recorded),
          template: {
            ...templateOf(recorded),
            spec: {
              topologySpreadConstraints: [
                {
                  labelSelector: {
                    matchLabels: { app: 'web' },
                    matchExpressions: [{ key: 'pod-template-hash', operator: 'In', values }],
                  },
                },
              ],
            },
          },
        },
      },
    ]);
  });

  it('records a new template without them, so that its hash does not depend on the cluster', () => {
    const created = (spread: Spread) =>
      plan({ object: owner, revisions: [], pods: [], spread }, NOW).actions.filter(
        ({ do: what }) => what === 'createRevision',
      );
    expect(created('nodes and zones')).toHaveLength(1);
    expect(created('nodes and zones')).toEqual(created('none'));
  });
});
