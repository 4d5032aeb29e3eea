import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import { ImoocPod, type ImoocPodProps } from '../../../src/kinds/imooc-pod/construct.ts';

function render(props?: ImoocPodProps): unknown {
  const chart = Testing.chart();
  new ImoocPod(chart, 'nap', props);
  return Testing.synth(chart)[0];
}

describe('ImoocPod', () => {
  it('renders one pod, unless told otherwise', () => {
    expect(render()).toEqual({
      apiVersion: 'batch.tutorial.kubebuilder.io/v1alpha1',
      kind: 'ImoocPod',
      metadata: { name: 'test-nap-c8b4ffc9' },
      spec: { replicas: 1 },
    });
  });

  it('renders every prop', () => {
    const metadata = { name: 'nap', namespace: 'bed', labels: { team: 'a' } };
    expect(render({ metadata, replicas: 0 })).toMatchObject({ metadata, spec: { replicas: 0 } });
  });

  it.each([-1, 1.5, 1001])('refuses %s replicas, and says where', (replicas) => {
    expect(() => render({ replicas })).toThrow(
      `test/nap: replicas must be a whole number from 0 to 1000, got ${replicas}`,
    );
  });
});
