import { describe, expect, it } from '@jest/globals';
import { App, Testing } from 'cdk8s';
import type { KindName } from '../../src/kinds/kind-name.ts';
import { KINDS } from '../../src/kinds/kinds.ts';
import { OperatorChart } from '../../src/operator/chart.ts';
import type { OperatorProps } from '../../src/operator/props.ts';
import { type Rendered, renderAll } from './rendered.ts';

const CLUSTER_WIDE = [
  'Namespace',
  'ClusterRole',
  'ClusterRoleBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

describe('OperatorChart', () => {
  it('installs everything, in an order in which it can be applied', () => {
    expect(renderAll().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace mydeployment-system',
      'ResourceQuota mydeployment-critical-pods',
      'ServiceAccount mydeployment-controller-manager',
      'ClusterRole mydeployment-manager-role',
      'ClusterRoleBinding mydeployment-manager-rolebinding',
      'Role mydeployment-leader-election-role',
      'RoleBinding mydeployment-leader-election-rolebinding',
      'ClusterRole mydeployment-metrics-auth-role',
      'ClusterRoleBinding mydeployment-metrics-auth-rolebinding',
      'ClusterRole mydeployment-metrics-reader',
      'ClusterRole mydeployment-mydeployment-viewer-role',
      'ClusterRole mydeployment-mydeployment-editor-role',
      'Role mydeployment-certificates-role',
      'RoleBinding mydeployment-certificates-rolebinding',
      'ClusterRole mydeployment-certificates-role',
      'ClusterRoleBinding mydeployment-certificates-rolebinding',
      'Deployment mydeployment-controller-manager',
      'PodDisruptionBudget mydeployment-controller-manager',
      'NetworkPolicy mydeployment-controller-manager',
      'Service mydeployment-metrics-service',
      'Service mydeployment-webhook-service',
      'MutatingWebhookConfiguration mydeployment-mutating-webhook-configuration',
      'ValidatingWebhookConfiguration mydeployment-validating-webhook-configuration',
    ]);
  });

  it.each(['mydeployment-system', 'elsewhere'])('puts whatever has a namespace into %s', (namespace) => {
    for (const { kind, metadata } of renderAll({ namespace })) {
      expect([kind, metadata.namespace]).toEqual([kind, CLUSTER_WIDE.includes(kind) ? undefined : namespace]);
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'mydeployment' });
    }
  });

  it('admits only restricted pods to its namespace', () => {
    expect(renderAll()[0]?.metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/audit': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    });
  });

  it('runs every kind there is, unless told otherwise', () => {
    const props = { image: 'operator:test', includeCrds: true };
    const objects = Testing.synth(new OperatorChart(Testing.app(), 'operator', props)) as Rendered[];
    expect(objects.filter(({ kind }) => kind === 'CustomResourceDefinition')).toHaveLength(Object.keys(KINDS).length);
  });

  it('brings the CRDs first when asked, and not otherwise', () => {
    const kinds = renderAll({ includeCrds: true }).map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['CustomResourceDefinition', 'Namespace']);
    expect(renderAll().map(({ kind }) => kind)).not.toContain('CustomResourceDefinition');
  });

  it('installs in three lines', () => {
    const app = Testing.app();
    new OperatorChart(app, 'operator', { image: 'operator:test', includeCrds: true });
    expect(app.synthYaml()).toContain('image: operator:test');
  });

  it.each([
    { props: { replicas: 0 }, says: 'replicas must be a whole number from 1, got 0' },
    { props: { replicas: 1.5 }, says: 'replicas must be a whole number from 1, got 1.5' },
    { props: { shards: 0 }, says: 'shards must be a whole number from 1 to 256, got 0' },
    { props: { shards: 257 }, says: 'shards must be a whole number from 1 to 256, got 257' },
    { props: { kinds: [] }, says: 'kinds must name at least one kind, got none' },
    {
      props: { kinds: ['Deployment' as KindName] },
      says: `there is no kind Deployment, only ${Object.keys(KINDS).join(', ')}`,
    },
    { props: { namespaces: [] }, says: 'namespaces must name at least one, got none; leave it out for all' },
    {
      props: { image: 'Bad Image' },
      says: 'image "Bad Image" is not an image reference: want [host[:port]/]path[:tag][@digest], the path in lower case',
    },
    {
      props: { namespace: 'Bad_NS' },
      says: 'namespace "Bad_NS" is not a name: want at most 63 of a-z, 0-9 and dashes, with neither end a dash',
    },
    {
      props: { namespaces: ['blue', 'Red'] },
      says: 'namespaces: "Red" is not a name: want at most 63 of a-z, 0-9 and dashes, with neither end a dash',
    },
    {
      props: { resources: { requests: { cpu: 'lots' }, limits: {} } },
      says: 'resources.requests.cpu "lots" is not a quantity: want a number with an optional suffix, such as 500m, 2 or 128Mi',
    },
    {
      props: { podLabels: { 'app.kubernetes.io/name': 'mine' } },
      says: "podLabels: the operator's pods are selected by app.kubernetes.io/name",
    },
    {
      props: { podAnnotations: { 'kubectl.kubernetes.io/default-container': 'mine' } },
      says: 'podAnnotations: the operator has kubectl.kubernetes.io/default-container itself',
    },
    {
      props: { podLabels: { 'a team': 'x' } },
      says: 'podLabels: "a team" is not a key: want [domain/]name, the name at most 63 of letters, digits, dashes, dots and underscores',
    },
    {
      props: { podAnnotations: { 'Example.com/team': 'any text' } },
      says: 'podAnnotations: "Example.com/team" is not a key: want [domain/]name, the name at most 63 of letters, digits, dashes, dots and underscores',
    },
    {
      props: { nodeSelector: { zone: 'a zone' } },
      says: 'nodeSelector: zone: "a zone" is not the value of a label: want at most 63 of letters, digits, dashes, dots and underscores, with a letter or digit at both ends',
    },
    {
      props: { prometheus: { default: 'prometheus:9090' } },
      says: 'prometheus: "prometheus:9090" is no http or https URL, got "default=prometheus:9090"',
    },
    {
      props: { prometheus: { default: 'http://p,token-file=/var/run/secrets/x' } },
      says: 'prometheus: no name or URL has a comma, got "default=http://p,token-file=/var/run/secrets/x"',
    },
    {
      props: { webhooks: false, serviceMonitor: true },
      says: 'serviceMonitor needs webhooks, or certificates of cert-manager',
    },
  ])('refuses a mistake with its path: $says', ({ props, says }) => {
    const install = () => new OperatorChart(new App(), 'operator', { image: 'operator:test', ...props });
    expect(install).toThrow(new Error(`operator: ${says}`));
  });

  it.each([
    {
      props: { image: undefined },
      says: 'image undefined is not an image reference: want [host[:port]/]path[:tag][@digest], the path in lower case',
    },
    { props: { certificates: 'vault' }, says: 'certificates must be self-managed or cert-manager, got "vault"' },
    {
      props: { nodeSelector: { spot: true } },
      says: 'nodeSelector: spot: true is not the value of a label: want at most 63 of letters, digits, dashes, dots and underscores, with a letter or digit at both ends',
    },
  ])('refuses what only a program without types can say: $says', ({ props, says }) => {
    const untyped = { image: 'operator:test', ...props } as unknown as OperatorProps;
    expect(() => new OperatorChart(new App(), 'operator', untyped)).toThrow(new Error(`operator: ${says}`));
  });
});
