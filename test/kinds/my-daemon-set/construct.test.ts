import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDaemonSet, type MyDaemonSetProps } from '../../../src/kinds/my-daemon-set/construct.ts';

function render(props: MyDaemonSetProps): unknown {
  const chart = Testing.chart();
  new MyDaemonSet(chart, 'agent', props);
  return Testing.synth(chart)[0];
}

describe('MyDaemonSet', () => {
  it('renders an image', () => {
    expect(render({ image: 'agent:v1' })).toEqual({
      apiVersion: 'apps.zhongmingmao.io/v1beta1',
      kind: 'MyDaemonSet',
      metadata: { name: 'test-agent-c88fbc15' },
      spec: { image: 'agent:v1' },
    });
  });

  it('renders every prop', () => {
    const metadata = { name: 'agent', namespace: 'infra', labels: { team: 'a' } };
    const maxUnavailable = kplus.PercentOrAbsolute.percent(10);
    expect(render({ metadata, image: 'agent:v1', maxUnavailable })).toMatchObject({
      metadata,
      spec: { image: 'agent:v1', maxUnavailable: '10%' },
    });
    expect(render({ image: 'agent:v1', maxUnavailable: kplus.PercentOrAbsolute.absolute(3) })).toMatchObject({
      spec: { maxUnavailable: 3 },
    });
  });

  it.each<{ name: string; props: MyDaemonSetProps; says: string }>([
    {
      name: 'no image reference',
      props: { image: 'Agent' },
      says: 'test/agent: image "Agent" is not an image reference',
    },
    {
      name: 'a bound of nothing',
      props: { image: 'agent', maxUnavailable: kplus.PercentOrAbsolute.percent(0) },
      says: 'test/agent: maxUnavailable must not be 0%',
    },
  ])('refuses $name, and says where', ({ props, says }) => {
    expect(() => render(props)).toThrow(says);
  });
});
