import { describe, expect, it } from '@jest/globals';
import type * as kplus from 'cdk8s-plus-27';
import { servicePorts } from '../../../src/kinds/my-deployment/construct/expose.ts';

const container = (...ports: readonly Partial<kplus.ContainerPort>[]): kplus.Container =>
  ({ ports }) as unknown as kplus.Container;

describe('the ports of a Service', () => {
  it('are those that containers listen on, with their protocols and names', () => {
    const containers = [
      container({ number: 80, name: 'http' }),
      container({ number: 53, name: 'dns', protocol: 'UDP' as kplus.Protocol }),
    ];
    expect(servicePorts(containers)).toEqual({
      ports: [
        { port: 80, targetPort: 80, name: 'http' },
        { port: 53, targetPort: 53, name: 'dns', protocol: 'UDP' },
      ],
      problems: [],
    });
  });

  it('are those asked for', () => {
    const wanted = [{ port: 8080, targetPort: 80 }];
    expect(servicePorts([container({ number: 80 })], wanted)).toEqual({ ports: wanted, problems: [] });
  });

  it.each([
    {
      name: 'nobody listens at all',
      containers: [container()],
      wanted: [{ port: 80 }],
      problems: ['no container listens on port 80, only on none'],
    },
    {
      name: 'others are listened on',
      containers: [container({ number: 80 }, { number: 443 })],
      wanted: [{ port: 8080 }],
      problems: ['no container listens on port 8080, only on 80, 443'],
    },
    {
      name: 'one of two has no name',
      containers: [container({ number: 80, name: 'http' }, { number: 443 })],
      wanted: undefined,
      problems: ['port 443 needs a name, because there are 2 ports'],
    },
    {
      name: 'there is none',
      containers: [container()],
      wanted: undefined,
      problems: ['no container has a port; pass `ports`, or give a container its `ports`'],
    },
  ])('are refused when $name', ({ containers, wanted, problems }) => {
    expect(servicePorts(containers, wanted).problems).toEqual(problems);
  });
});
