// The one container of the operator's pods: its flags, environment, ports, probes and mounts. It has no privileges on its node.

import * as kplus from 'cdk8s-plus-27';
import { PORTS } from './names.ts';
import type { Resources } from './props.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

const certificateFolder = ({ names }: Settings): string => `/etc/${names.operator}/certificates`;
const clientCaFolder = ({ names }: Settings): string => `/etc/${names.operator}/client-ca`;

/** The manager's container. */
export function managerContainer(settings: Settings): kplus.k8s.Container {
  return {
    name: 'manager',
    image: settings.image,
    args: flagsOf(settings),
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      ...(settings.webhooks ? [] : [{ name: 'ENABLE_WEBHOOKS', value: 'false' }]),
      ...Object.entries(settings.env).map(([name, value]) => ({ name, value })),
    ],
    ports: portsOf(settings),
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 1, periodSeconds: 5 },
    resources: quantities(settings.resources),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(filesOf(settings).length > 0 && {
      volumeMounts: filesOf(settings).map(({ mountPath, volume: { name } }) => ({ name, mountPath, readOnly: true })),
    }),
  };
}

/** What it mounts. */
export function managerVolumes(settings: Settings): { readonly volumes?: kplus.k8s.Volume[] } {
  const files = filesOf(settings);
  return files.length > 0 ? { volumes: files.map(({ volume }) => volume) } : {};
}

/** The certificate, when cert-manager keeps it, and the CA of callers, when there is one. */
function filesOf(settings: Settings): { readonly mountPath: string; readonly volume: kplus.k8s.Volume }[] {
  const { webhookClientCa, names } = settings;
  const secret = { secretName: names.webhookCertificates };
  return [
    ...(isMounted(settings)
      ? [{ mountPath: certificateFolder(settings), volume: { name: 'certificates', secret } }]
      : []),
    ...(webhookClientCa === undefined
      ? []
      : [{ mountPath: clientCaFolder(settings), volume: { name: 'client-ca', configMap: { name: webhookClientCa } } }]),
  ];
}

function flagsOf(settings: Settings): string[] {
  const { kinds, namespaces, shards, metrics, webhookClientCa } = settings;
  return [
    '--leader-elect',
    `--health-probe-bind-address=:${PORTS.health}`,
    `--metrics-bind-address=${metrics ? `:${PORTS.metrics}` : '0'}`,
    `--kinds=${kinds.map(({ definition }) => definition.singular).join(',')}`,
    ...(namespaces === undefined ? [] : [`--namespaces=${namespaces.join(',')}`]),
    ...(shards === 1 ? [] : [`--shards=${shards}`]),
    ...(isMounted(settings) ? [`--webhook-cert-dir=${certificateFolder(settings)}`] : []),
    ...(webhookClientCa === undefined ? [] : [`--webhook-client-ca-file=${clientCaFolder(settings)}/ca.crt`]),
    ...settings.flags,
  ];
}

function portsOf({ webhooks, metrics }: Settings): kplus.k8s.ContainerPort[] {
  return [
    { name: 'health', containerPort: PORTS.health },
    ...(webhooks ? [{ name: 'webhook', containerPort: PORTS.webhook }] : []),
    ...(metrics ? [{ name: 'metrics', containerPort: PORTS.metrics }] : []),
  ];
}

function probe(path: string): kplus.k8s.Probe {
  return { httpGet: { path, port: k8s.IntOrString.fromString('health') } };
}

function quantities({ requests, limits }: Resources): kplus.k8s.ResourceRequirements {
  const render = (list: Readonly<Record<string, string>>): Record<string, kplus.k8s.Quantity> =>
    Object.fromEntries(Object.entries(list).map(([name, value]) => [name, k8s.Quantity.fromString(value)]));
  return { requests: render(requests), limits: render(limits) };
}

function isMounted({ certificates }: Settings): boolean {
  return certificates === 'cert-manager';
}
