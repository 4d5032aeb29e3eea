// Which resources containers have, which of their changes a running pod can follow, and when a container restarts for one.

import { describe, expect, it } from '@jest/globals';
import {
  qosClass,
  type Resources,
  resizeObstacle,
  restartsToResize,
  storedResources,
} from '../../../src/workload/in-place/resources.ts';

describe('the quality of service', () => {
  const guaranteed = { limits: { cpu: '1', memory: '1Gi' } };

  it.each<{ name: string; containers: readonly Resources[]; is: string }>([
    { name: 'of no resources', containers: [{}], is: 'BestEffort' },
    { name: 'of requests for nothing', containers: [{ requests: { cpu: '0', memory: '0Mi' } }], is: 'BestEffort' },
    { name: 'of other resources', containers: [{ limits: { 'example.com/gpu': '1' } }], is: 'BestEffort' },
    { name: 'of a request', containers: [{ requests: { cpu: '1' } }], is: 'Burstable' },
    {
      name: 'of a limit without a request',
      containers: [{ limits: { cpu: '1' }, requests: { cpu: '0' } }],
      is: 'Burstable',
    },
    { name: 'of limits for CPU alone', containers: [{ limits: { cpu: '1' } }], is: 'Burstable' },
    { name: 'of limits for both', containers: [guaranteed], is: 'Guaranteed' },
    {
      name: 'of requests that are their limits',
      containers: [{ ...guaranteed, requests: { cpu: '1000m' } }],
      is: 'Guaranteed',
    },
    {
      name: 'of requests below their limits',
      containers: [{ ...guaranteed, requests: { cpu: '0.5' } }],
      is: 'Burstable',
    },
    { name: 'of a container with limits beside one without', containers: [guaranteed, {}], is: 'Burstable' },
  ])('$name is $is', ({ containers, is }) => {
    expect(qosClass(containers.map((resources, index) => ({ name: `c${index}`, resources })))).toBe(is);
  });
});

it('a limit without a request is also the request', () => {
  const limits = { cpu: '2', memory: '1Gi' };
  expect(storedResources({ limits, requests: { cpu: '1' } })).toEqual({
    limits,
    requests: { cpu: '1', memory: '1Gi' },
  });
});

describe('a container', () => {
  it.each<{ name: string; from: object; to: object; why: string | undefined }>([
    {
      name: 'not without a limit that it had',
      from: { limits: { cpu: '2' }, requests: { cpu: '1' } },
      to: { requests: { cpu: '1' } },
      why: 'a request or limit for cpu cannot be removed',
    },
    {
      name: 'with claims that stay',
      from: { claims: [{ name: 'gpu' }], requests: { cpu: '1' } },
      to: { claims: [{ name: 'gpu' }], requests: { cpu: '2' } },
      why: undefined,
    },
    {
      name: 'not with other claims, even where nothing else changes',
      from: { claims: [{ name: 'gpu' }] },
      to: {},
      why: 'its resource claims change',
    },
  ])('can be resized $name', ({ from, to, why }) => {
    expect(resizeObstacle(from, to)).toBe(why);
  });

  it.each<{ name: string; resource: string; policy: string; is: boolean }>([
    { name: 'where what changes asks for it', resource: 'cpu', policy: 'RestartContainer', is: true },
    { name: 'not where only another resource does', resource: 'memory', policy: 'RestartContainer', is: false },
    { name: 'not where what changes needs none', resource: 'cpu', policy: 'NotRequired', is: false },
  ])('restarts for another limit $name', ({ resource, policy, is }) => {
    const resources = { limits: { cpu: '2' }, requests: { cpu: '1' } };
    const resizePolicy = [{ resourceName: resource, restartPolicy: policy }];
    const to = { limits: { cpu: '3' }, requests: { cpu: '1' } };
    expect(restartsToResize({ name: 'web', resources, resizePolicy }, to)).toBe(is);
  });
});
