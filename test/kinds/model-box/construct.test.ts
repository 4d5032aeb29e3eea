import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import { ModelBox, type ModelBoxProps } from '../../../src/kinds/model-box/construct.ts';

const small: ModelBoxProps = { image: 'web:1', ports: [{ port: 80 }] };

describe('ModelBox in a cdk8s app', () => {
  it('renders its props as the spec', () => {
    const chart = Testing.chart();
    const props: ModelBoxProps = {
      ...small,
      name: 'shop',
      replicas: 3,
      size: 'medium',
      rollingUpdate: '50%',
      envs: [{ name: 'MODE', value: 'fast' }],
      serviceType: 'Headless',
      containers: [{ name: 'proxy', image: 'envoy:1' }],
    };
    new ModelBox(chart, 'shop', { ...props, metadata: { name: 'shop', labels: { team: 'blue' } } });
    expect(Testing.synth(chart)).toEqual([
      {
        apiVersion: 'model.github.com/v1',
        kind: 'ModelBox',
        metadata: { name: 'shop', labels: { team: 'blue' } },
        spec: props,
      },
    ]);
  });

  it('knows where its Service will be', () => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'metrics', port: 9090 },
    ];
    const box = new ModelBox(Testing.chart(), 'web', { ...small, ports, metadata: { name: 'web' } });
    expect(box.address()).toBe('web:80');
    expect(box.address(9090)).toBe('web:9090');
    expect(() => box.address(81)).toThrow('test/web: there is no port 81, only 80, 9090');
  });

  it.each<{ props: Partial<ModelBoxProps>; says: string }>([
    { props: { replicas: -1 }, says: 'replicas must be a whole number from 0, got -1' },
    { props: { replicas: 1.5 }, says: 'replicas must be a whole number from 0, got 1.5' },
    { props: { ports: [] }, says: 'ports must name at least one port, got none' },
    { props: { ports: [{ port: 1 }, { port: 2, name: 'b' }] }, says: 'ports 1 need a name, because there are 2' },
    { props: { rollingUpdate: '0%' }, says: 'rollingUpdate must be above 0% and up to 100%, got 0%' },
    { props: { rollingUpdate: '101%' }, says: 'rollingUpdate must be above 0% and up to 100%, got 101%' },
    { props: { rollingUpdate: '3' }, says: 'rollingUpdate must be above 0% and up to 100%, got 3' },
    {
      props: { size: 'large', resources: { limits: { cpu: '1' } } },
      says: 'resources cannot be chosen together with size large',
    },
    {
      props: { serviceType: 'ClusterIP', ports: [{ port: 1, nodePort: 30001 }] },
      says: 'nodePort 30001 cannot be used with serviceType ClusterIP',
    },
    { props: { image: 'Bad Image' }, says: 'image "Bad Image" is not an image reference' },
    {
      props: { containers: [{ name: 'side', image: 'Bad Image' }] },
      says: 'containers[0].image "Bad Image" is not an image reference',
    },
    {
      props: { size: 'custom', resources: { limits: { cpu: 'lots' } } },
      says: 'resources.limits.cpu "lots" is not a quantity',
    },
    {
      props: { initContainers: [{ name: 'side', resources: { requests: { memory: '1 Gi' } } }] },
      says: 'initContainers[0].resources.requests.memory "1 Gi" is not a quantity',
    },
    {
      props: { containers: [{ name: 'side' }], initContainers: [{ name: 'side' }] },
      says: 'containers: there are several with the name "side"',
    },
  ])('refuses $props', ({ props, says }) => {
    expect(() => new ModelBox(Testing.chart(), 'web', { ...small, ...props })).toThrow(`test/web: ${says}`);
  });
});
