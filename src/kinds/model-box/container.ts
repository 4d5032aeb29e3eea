// The container of the ModelBox itself: its ports follow from the ports of the Service, and by default its probes
// connect to the first of them.

import type { V1ContainerPort } from '@kubernetes/client-node';
import type { Raw } from '../../runtime/object.ts';
import type { Container, EnvVar, Probe } from '../../workload/template-schema.ts';
import { resourcesOf } from './sizes.ts';
import type { ModelBox, ModelBoxSpec } from './types.gen.ts';

type ContainerPort = Raw<V1ContainerPort>;

/** Readiness is checked often; liveness leaves time to start before the container is restarted. */
const READINESS = { periodSeconds: 5 };
const LIVENESS = { initialDelaySeconds: 15, periodSeconds: 10 };

/** The container, named after the ModelBox. */
export function mainContainer({ metadata, spec }: ModelBox): Container {
  const resources = resourcesOf(spec);
  const { livenessProbe, readinessProbe } = probesOf(spec);
  return {
    name: metadata.name,
    image: spec.image,
    ports: containerPorts(spec),
    // A quantity may be a number; client-node's types know texts only.
    ...(spec.envs && { env: spec.envs as readonly EnvVar[] }),
    ...(resources && { resources }),
    ...(livenessProbe && { livenessProbe }),
    ...(readinessProbe && { readinessProbe }),
  };
}

/** Several ports of the Service may lead to one port of the container, which can be listed only once. */
export function containerPorts({ ports, containers = [] }: ModelBoxSpec): readonly ContainerPort[] {
  const ofOthers = new Set(containers.flatMap((container) => (container.ports ?? []).map(({ name }) => name)));
  const byNumber = new Map<string, ContainerPort>();
  for (const { port, targetPort = port, protocol = 'TCP' } of ports) {
    if (typeof targetPort === 'string' && ofOthers.has(targetPort)) continue;
    const listed: ContainerPort =
      typeof targetPort === 'string'
        ? { name: targetPort, containerPort: port, protocol }
        : { containerPort: targetPort, protocol };
    const key = `${listed.containerPort}/${protocol}`;
    byNumber.set(key, { ...byNumber.get(key), ...listed });
  }
  return [...byNumber.values()];
}

type Probes = Pick<Container, 'livenessProbe' | 'readinessProbe'>;

/** The given probe, or a connection to the first TCP port: other protocols cannot be probed. */
export function probesOf(spec: ModelBoxSpec): Probes {
  const first = containerPorts(spec).find(({ protocol }) => protocol === 'TCP');
  const byDefault = (timing: Probe): Probe | undefined =>
    first && spec.defaultProbes !== false ? { tcpSocket: { port: first.containerPort }, ...timing } : undefined;
  const livenessProbe = spec.livenessProbe ?? byDefault(LIVENESS);
  const readinessProbe = spec.readinessProbe ?? byDefault(READINESS);
  return { ...(livenessProbe && { livenessProbe }), ...(readinessProbe && { readinessProbe }) };
}
