// The ports of a Service for a workload: the given ports, if a container listens on them, or all ports of the
// containers.

import type * as kplus from 'cdk8s-plus-27';

export interface ServicePorts {
  readonly ports: readonly kplus.ServicePort[];
  /** Why no Service can be created for these ports. */
  readonly problems: readonly string[];
}

/** The ports of a Service in front of these containers. */
export function servicePorts(
  containers: readonly kplus.Container[],
  wanted?: readonly kplus.ServicePort[],
): ServicePorts {
  const open = containers.flatMap((container) => container.ports);
  const ports = wanted ?? open.map(({ number: port, protocol, name }) => portOf(port, protocol, name));
  const numbers = open.map((port) => port.number);
  const closed = ports.map(({ port, targetPort = port }) => targetPort).filter((port) => !numbers.includes(port));
  const unnamed = ports.length > 1 ? ports.filter(({ name }) => name === undefined) : [];
  return {
    ports,
    problems: [
      ...(ports.length === 0 ? ['no container has a port; pass `ports`, or give a container its `ports`'] : []),
      ...closed.map((port) => `no container listens on port ${port}, only on ${numbers.join(', ') || 'none'}`),
      ...unnamed.map(({ port }) => `port ${port} needs a name, because there are ${ports.length} ports`),
    ],
  };
}

function portOf(port: number, protocol?: kplus.Protocol, name?: string): kplus.ServicePort {
  return { port, targetPort: port, ...(protocol && { protocol }), ...(name && { name }) };
}
