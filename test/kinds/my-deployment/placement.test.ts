import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDeployment } from '../../../src/kinds/my-deployment/construct/construct.ts';
import type { MyDeploymentProps } from '../../../src/kinds/my-deployment/construct/props.ts';

interface Template {
  readonly metadata: { readonly annotations?: Record<string, string> };
  readonly spec: {
    readonly topologySpreadConstraints?: unknown;
    readonly affinity?: { readonly podAntiAffinity?: unknown };
  };
}

function template(props: MyDeploymentProps): Template {
  const chart = Testing.chart();
  new MyDeployment(chart, 'web', { containers: [{ image: 'nginx' }], ...props });
  return Testing.synth(chart)[0].spec.template;
}

const labelSelector = { matchLabels: { 'cdk8s.io/metadata.addr': 'test-web-c8694308' } };
const matchLabelKeys = ['pod-template-hash'];

describe('spreading the pods of a MyDeployment', () => {
  it('is left to the operator by default', () => {
    for (const { spec } of [template({}), template({ topologySpread: [] })]) {
      expect(spec).not.toHaveProperty('topologySpreadConstraints');
      expect(spec).not.toHaveProperty('affinity');
    }
  });

  it('is a wish, unless told otherwise', () => {
    const topologySpread = [{ topology: kplus.Topology.ZONE }];
    expect(template({ topologySpread }).spec.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' },
    ]);
  });

  it('is as told', () => {
    const topologySpread = [{ topology: kplus.Topology.custom('rack'), whenUnsatisfiable: 'DoNotSchedule' }] as const;
    expect(template({ topologySpread }).spec.topologySpreadConstraints).toEqual([
      { topologyKey: 'rack', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector, matchLabelKeys },
    ]);
  });
});

describe('eviction by the cluster autoscaler', () => {
  const annotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
  const volume = Testing.chart();
  const onDisk = kplus.Volume.fromEmptyDir(volume, 'disk', 'disk');
  const inMemory = kplus.Volume.fromEmptyDir(volume, 'ram', 'ram', { medium: kplus.EmptyDirMedium.MEMORY });
  const ofTheNode = kplus.Volume.fromHostPath(volume, 'host', 'host', { path: '/data' });
  const bySomebody = { annotations: { [annotation]: 'false' } };

  it.each([
    { name: 'allowed', props: {}, says: 'true' },
    { name: 'allowed with files in memory', props: { volumes: [inMemory] }, says: 'true' },
    { name: 'left to the autoscaler with files on disk', props: { volumes: [onDisk] }, says: undefined },
    { name: 'left to the autoscaler with files of the node', props: { volumes: [ofTheNode] }, says: undefined },
    { name: 'allowed when told', props: { volumes: [onDisk], safeToEvict: true }, says: 'true' },
    { name: 'refused when told', props: { safeToEvict: false }, says: 'false' },
    { name: 'as the annotation says', props: { podMetadata: bySomebody }, says: 'false' },
  ])('is $name', ({ props, says }) => {
    expect(template(props).metadata.annotations?.[annotation]).toBe(says);
  });
});
