import { describe, expect, it } from '@jest/globals';
import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import type { OperatorProps } from '../../src/operator/props.ts';
import { parseFlags } from '../../src/runtime/operator/flags.ts';
import { render } from './rendered.ts';

const NAME = 'mydeployment-controller-manager';
const pods = { 'app.kubernetes.io/name': 'mydeployment', 'app.kubernetes.io/component': 'controller-manager' };

function podOf(props: Partial<OperatorProps> = {}): V1PodSpec {
  const { spec } = render('Deployment', NAME, props) as unknown as { spec: { template: { spec: V1PodSpec } } };
  return spec.template.spec;
}

function containerOf(props: Partial<OperatorProps> = {}): V1Container {
  const [container, second] = podOf(props).containers;
  expect(second).toBeUndefined();
  return container as V1Container;
}

describe('the operator’s Deployment', () => {
  it('runs two replicas of the image, unless told otherwise', () => {
    expect(render('Deployment', NAME)).toMatchObject({
      spec: { replicas: 2, selector: { matchLabels: pods }, template: { metadata: { labels: pods } } },
    });
    expect(render('Deployment', NAME, { replicas: 5 })).toMatchObject({ spec: { replicas: 5 } });
    expect(containerOf().image).toBe('operator:test');
  });

  it('asks for nothing that Pod Security "restricted" forbids', () => {
    expect(podOf().securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(containerOf().securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('keeps its pods on different nodes and in different zones, as far as there are some', () => {
    const labelSelector = { matchLabels: pods };
    expect(podOf().affinity).toEqual({
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } },
          { weight: 50, podAffinityTerm: { topologyKey: 'topology.kubernetes.io/zone', labelSelector } },
        ],
      },
    });
  });

  it('is told which Prometheus servers there are', () => {
    const prometheus = { default: 'http://prometheus.monitoring:9090', thanos: 'https://thanos.example/query' };
    const { args = [] } = containerOf({ prometheus });
    expect(args.filter((arg) => arg.startsWith('--prometheus='))).toEqual([
      '--prometheus=default=http://prometheus.monitoring:9090',
      '--prometheus=thanos=https://thanos.example/query',
    ]);
    expect(containerOf().args?.join()).not.toContain('--prometheus');
  });

  it('has the labels, annotations and nodes that a person wants', () => {
    const nodeSelector = { 'kubernetes.io/os': 'linux' };
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }];
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    expect(podOf({ nodeSelector, tolerations, affinity })).toMatchObject({ nodeSelector, tolerations, affinity });
    expect(podOf({ affinity }).affinity?.podAntiAffinity).toBeUndefined();
    expect(podOf()).not.toMatchObject({ nodeSelector: expect.anything() });
    const props = { podLabels: { tier: 'control' }, podAnnotations: { 'example.com/team': 'platform' } };
    expect(render('Deployment', NAME, props)).toMatchObject({
      spec: {
        selector: { matchLabels: expect.not.objectContaining({ tier: 'control' }) },
        template: {
          metadata: {
            labels: { ...pods, tier: 'control' },
            annotations: { 'example.com/team': 'platform', 'kubectl.kubernetes.io/default-container': 'manager' },
          },
        },
      },
    });
  });

  it('signs in, ranks as critical, and gets the time that the manager takes to stop', () => {
    expect(podOf()).toMatchObject({
      serviceAccountName: NAME,
      automountServiceAccountToken: true,
      priorityClassName: 'system-cluster-critical',
      terminationGracePeriodSeconds: 35,
    });
    expect(podOf({ priorityClass: 'low' }).priorityClassName).toBe('low');
    expect(render('ResourceQuota', 'mydeployment-critical-pods', { priorityClass: 'low' })).toMatchObject({
      spec: { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['low'] }] } },
    });
  });

  it('is probed where it answers', () => {
    const { livenessProbe, readinessProbe, ports } = containerOf();
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' });
    expect(ports).toEqual([
      { name: 'health', containerPort: 8081 },
      { name: 'webhook', containerPort: 9443 },
      { name: 'metrics', containerPort: 8443 },
    ]);
  });

  it('has requests and limits', () => {
    expect(containerOf().resources).toEqual({
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '1', memory: '512Mi' },
    });
    const resources = { requests: { cpu: '2' }, limits: { memory: '1Gi' } };
    expect(containerOf({ resources }).resources).toEqual(resources);
  });

  it('knows its namespace, also where that is not the usual one', () => {
    expect(containerOf().env).toEqual([
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ]);
  });

  it('is started with flags that the operator understands', () => {
    const flags = parseFlags(containerOf().args ?? [], ['mydeployment']);
    expect(flags).toMatchObject({
      leaderElect: true,
      healthAddress: ':8081',
      metricsAddress: ':8443',
      webhookPort: 9443,
      webhookCertDir: undefined,
      kinds: ['mydeployment'],
    });
  });

  it('is told the namespaces it works in', () => {
    expect(containerOf({ namespaces: ['blue', 'green'] }).args).toContain('--namespaces=blue,green');
    expect(containerOf({ shards: 4 }).args).toContain('--shards=4');
    expect(containerOf({ shards: 1 }).args?.join()).not.toContain('shards');
    expect(containerOf().args?.join()).not.toContain('--namespaces');
  });

  it('reads the certificate that cert-manager keeps', () => {
    const props = { certificates: 'cert-manager' } as const;
    const folder = '/etc/mydeployment/certificates';
    expect(parseFlags(containerOf(props).args ?? [], ['mydeployment']).webhookCertDir).toBe(folder);
    expect(containerOf(props).volumeMounts).toEqual([{ name: 'certificates', mountPath: folder, readOnly: true }]);
    expect(podOf(props).volumes).toEqual([
      { name: 'certificates', secret: { secretName: 'mydeployment-webhook-certificates' } },
    ]);
    expect(podOf().volumes).toBeUndefined();
  });

  it('leaves the spreading of pods to the scheduler when told to', () => {
    const off = { name: 'DEFAULT_SPREAD', value: 'false' };
    expect(containerOf({ defaultSpread: false }).env).toContainEqual(off);
    expect(containerOf().env).not.toContainEqual(off);
  });

  it('reads the CA of those that may call its webhooks', () => {
    const props = { webhookClientCa: 'api-server-ca' };
    const folder = '/etc/mydeployment/client-ca';
    const { webhookClientCaFile } = parseFlags(containerOf(props).args ?? [], ['mydeployment']);
    expect(webhookClientCaFile).toBe(`${folder}/ca.crt`);
    expect(containerOf(props).volumeMounts).toEqual([{ name: 'client-ca', mountPath: folder, readOnly: true }]);
    expect(podOf(props).volumes).toEqual([{ name: 'client-ca', configMap: { name: 'api-server-ca' } }]);
    const both = { ...props, certificates: 'cert-manager' } as const;
    expect(podOf(both).volumes?.map(({ name }) => name)).toEqual(['certificates', 'client-ca']);
    expect(parseFlags(containerOf().args ?? [], ['mydeployment']).webhookClientCaFile).toBeUndefined();
  });

  it('serves neither webhooks nor, for want of a certificate, metrics when webhooks are switched off', () => {
    const { args, env, ports } = containerOf({ webhooks: false });
    expect(env).toContainEqual({ name: 'ENABLE_WEBHOOKS', value: 'false' });
    expect(ports).toEqual([{ name: 'health', containerPort: 8081 }]);
    expect(parseFlags(args ?? [], ['mydeployment']).metricsAddress).toBe('0');
  });
});

describe('what keeps the operator well', () => {
  it('lets a drain take one pod at a time', () => {
    expect(render('PodDisruptionBudget', NAME)).toMatchObject({
      spec: { maxUnavailable: 1, selector: { matchLabels: pods }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    });
  });

  it.each([
    { props: {}, ports: [8081, 9443, 8443] },
    { props: { webhooks: false }, ports: [8081] },
    { props: { webhooks: false, certificates: 'cert-manager' as const }, ports: [8081, 8443] },
  ])('lets in what it serves with $props', ({ props, ports }) => {
    expect(render('NetworkPolicy', NAME, props)).toMatchObject({
      spec: {
        podSelector: { matchLabels: pods },
        policyTypes: ['Ingress'],
        ingress: [{ ports: ports.map((port) => ({ port, protocol: 'TCP' })) }],
      },
    });
  });

  it('lets webhooks and metrics be asked for from named places only, and probes from everywhere', () => {
    const props = {
      webhookSources: [{ cidr: '192.0.2.10/32' }, { cidr: '2001:db8::/64' }],
      metricsSources: [{ namespace: 'monitoring' }],
    };
    const ports = (port: number) => [{ port, protocol: 'TCP' }];
    expect(render('NetworkPolicy', NAME, props)).toMatchObject({
      spec: {
        ingress: [
          { ports: ports(8081) },
          {
            ports: ports(9443),
            from: [{ ipBlock: { cidr: '192.0.2.10/32' } }, { ipBlock: { cidr: '2001:db8::/64' } }],
          },
          {
            ports: ports(8443),
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
          },
        ],
      },
    });
    expect(render('NetworkPolicy', NAME, { webhookSources: [{ cidr: '0.0.0.0/0' }] })).toMatchObject({
      spec: { ingress: [{ ports: [...ports(8081), ...ports(8443)] }, { ports: ports(9443) }] },
    });
  });

  it.each([
    { props: { webhookSources: [] }, says: 'webhookSources must name at least one, got none' },
    { props: { metricsSources: [] }, says: 'metricsSources must name at least one, got none' },
    {
      props: { webhookSources: [{ cidr: '192.0.2.10' }] },
      says: 'webhookSources: "192.0.2.10" is no range of addresses',
    },
    { props: { webhookSources: [{ cidr: '192.0.2.0/33' }] }, says: '"192.0.2.0/33" is no range' },
    { props: { webhookSources: [{ cidr: '2001:db8::/129' }] }, says: '"2001:db8::/129" is no range' },
    { props: { metricsSources: [{ cidr: 'api-server/24' }] }, says: 'metricsSources: "api-server/24" is no range' },
    { props: { webhookSources: [{ cidr: '192.0.2.0/24/1' }] }, says: '"192.0.2.0/24/1" is no range' },
    { props: { webhookClientCa: 'ca', webhooks: false }, says: 'webhookClientCa needs webhooks' },
  ])('refuses $props', ({ props, says }) => {
    expect(() => render('NetworkPolicy', NAME, props)).toThrow(says);
  });
});
