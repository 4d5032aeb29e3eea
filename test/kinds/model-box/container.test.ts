import { describe, expect, it } from '@jest/globals';
import { containerPorts, mainContainer, probesOf } from '../../../src/kinds/model-box/container.ts';
import { describeSize, resourcesOf, SIZES } from '../../../src/kinds/model-box/sizes.ts';
import type { ModelBoxSpec } from '../../../src/kinds/model-box/types.gen.ts';
import { modelBox, SPEC } from './fixture.ts';

describe('what the container listens on', () => {
  it.each<{ name: string; spec: Partial<ModelBoxSpec>; ports: object[] }>([
    {
      name: 'the port of the Service, unless told otherwise',
      spec: { ports: [{ port: 80 }] },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    },
    {
      name: 'the target, for each protocol',
      spec: {
        ports: [
          { port: 53, targetPort: 5353 },
          { port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
      },
      ports: [
        { containerPort: 5353, protocol: 'TCP' },
        { containerPort: 5353, protocol: 'UDP' },
      ],
    },
    {
      name: 'a name stands for the port of the Service',
      spec: { ports: [{ port: 8080, targetPort: 'http' }] },
      ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    },
    {
      name: 'a name of another container leads there',
      spec: {
        ports: [
          { port: 80, targetPort: 'proxy' },
          { port: 81, targetPort: 8081 },
        ],
        containers: [{ name: 'envoy', ports: [{ name: 'proxy', containerPort: 15001 }] }],
      },
      ports: [{ containerPort: 8081, protocol: 'TCP' }],
    },
    {
      name: 'two ports that lead to one are listed once, with the name that one of them gives',
      spec: {
        ports: [
          { port: 80, targetPort: 8080 },
          { port: 8080, targetPort: 'http' },
          { port: 81, targetPort: 8080 },
        ],
      },
      ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    },
  ])('$name', ({ spec, ports }) => {
    expect(containerPorts({ ...SPEC, ...spec })).toEqual(ports);
  });
});

describe('how the container is probed', () => {
  const liveness = { tcpSocket: { port: 8080 }, initialDelaySeconds: 15, periodSeconds: 10 };
  const readiness = { tcpSocket: { port: 8080 }, periodSeconds: 5 };
  const own = { httpGet: { path: '/', port: 80 } };
  const ports = [
    { port: 53, protocol: 'UDP' as const },
    { port: 80, targetPort: 8080 },
    { port: 81, targetPort: 9090 },
  ];

  it.each<{ name: string; spec: Partial<ModelBoxSpec>; probes: object }>([
    { name: 'at its first TCP port', spec: {}, probes: { livenessProbe: liveness, readinessProbe: readiness } },
    {
      name: 'as it says itself',
      spec: { livenessProbe: own },
      probes: { livenessProbe: own, readinessProbe: readiness },
    },
    { name: 'not at all', spec: { defaultProbes: false }, probes: {} },
    {
      name: 'only as it says itself',
      spec: { defaultProbes: false, readinessProbe: own },
      probes: { readinessProbe: own },
    },
    { name: 'not when nothing listens for TCP', spec: { ports: [{ port: 53, protocol: 'UDP' }] }, probes: {} },
  ])('$name', ({ spec, probes }) => {
    expect(probesOf({ ...SPEC, ports, ...spec })).toEqual(probes);
  });
});

describe('what the container gets', () => {
  const resources = { limits: { cpu: '3' } };

  it.each<{ spec: Partial<ModelBoxSpec>; gets: object | undefined }>([
    { spec: {}, gets: undefined },
    { spec: { resources }, gets: resources },
    { spec: { size: 'custom', resources }, gets: resources },
    { spec: { size: 'small' }, gets: SIZES.small },
    { spec: { size: 'medium' }, gets: SIZES.medium },
    { spec: { size: 'large' }, gets: SIZES.large },
  ])('$spec', ({ spec, gets }) => {
    expect(resourcesOf({ ...SPEC, ...spec })).toEqual(gets);
  });

  it.each([
    ['small', 'requests 100m CPU and 128Mi, limits 200m CPU and 256Mi'],
    ['medium', 'requests 500m CPU and 512Mi, limits 1 CPU and 1Gi'],
    ['large', 'requests 1 CPU and 2Gi, limits 2 CPU and 4Gi'],
  ] as const)('%s is %s', (size, numbers) => {
    expect(describeSize(size)).toBe(numbers);
  });
});

describe('the container', () => {
  it('is named after the object, whatever spec.name says', () => {
    const envs = [{ name: 'MODE', value: 'fast' }];
    expect(mainContainer(modelBox({ name: 'shop', envs, size: 'small', defaultProbes: false }))).toEqual({
      name: 'web',
      image: 'web:1',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      env: envs,
      resources: SIZES.small,
    });
  });

  it('has no field that the spec leaves out, not even an empty one: an apply would own it', () => {
    const bare = mainContainer(modelBox({ defaultProbes: false }));
    expect(Object.keys(bare)).toEqual(['name', 'image', 'ports']);
  });
});
