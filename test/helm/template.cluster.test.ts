// The chart, rendered by Helm, is what the constructs make of the same settings; and Helm refuses values that the
// constructs would refuse.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { OperatorChart } from '../../src/operator/chart.ts';
import type { OperatorProps } from '../../src/operator/props.ts';
import { describeWithTool } from '../support/tools.ts';
import { CHART, helmAt } from './helm.ts';

const NAMESPACE = 'some-namespace';

const INSTALLATIONS: readonly (Omit<OperatorProps, 'image'> & { readonly image?: string })[] = [
  {},
  { image: 'registry.example.com/team/operator:1.2.3', replicas: 3, priorityClass: 'high' },
  { replicas: 3, shards: 4 },
  { shards: 2, namespaces: ['blue'], kinds: ['MyDeployment'] },
  { kinds: ['MyDeployment'] },
  { kinds: ['Collector'] },
  { kinds: ['ModelBox', 'ImoocPod'], namespaces: ['blue'] },
  { kinds: ['Collector', 'MyDaemonSet', 'MyDeployment'], certificates: 'cert-manager' },
  { namespaces: ['blue', 'green'] },
  { namespaces: ['blue', 'green'], certificates: 'cert-manager', serviceMonitor: true },
  { serviceMonitor: true, defaultSpread: false },
  { prometheus: { default: 'http://prometheus.monitoring:9090', thanos: 'https://thanos.example/query' } },
  { webhooks: false },
  { webhooks: false, certificates: 'cert-manager', serviceMonitor: true },
  { webhooks: false, namespaces: ['blue'], kinds: ['MyDaemonSet'] },
  {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    podAnnotations: { 'example.com/team': 'platform' },
    podLabels: { tier: 'control' },
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } },
  },
];

await describeWithTool('helm', 'the chart, rendered by Helm', (program) => {
  const helm = helmAt(program);
  const folder = mkdtempSync(join(tmpdir(), 'values-'));

  function valuesFile(values: object): string {
    const path = join(folder, 'values.json');
    writeFileSync(path, JSON.stringify(values));
    return path;
  }

  it('passes its own linter', async () => {
    const { code, stdout } = await helm('lint', '--strict', CHART);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 chart(s) failed') });
  });

  it.each(INSTALLATIONS.map((values) => [JSON.stringify(values), values] as const))(
    'with %s is what the constructs make',
    async (_, values) => {
      const { code, stdout, stderr } = await helm('template', 'x', CHART, '-n', NAMESPACE, '-f', valuesFile(values));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(comparable(parseAllDocuments(stdout).map((each) => each.toJS()))).toEqual(comparable(constructs(values)));
    },
  );

  describe('refuses', () => {
    it.each([
      { values: { replicas: 0 }, says: "at '/replicas': minimum: got 0, want 1" },
      { values: { shards: 257 }, says: "at '/shards': maximum: got 257, want 256" },
      { values: { replicas: 'two' }, says: "at '/replicas': got string, want integer" },
      { values: { image: { repository: 'x' } }, says: "at '/image': got object, want string" },
      { values: { image: 'Bad Image' }, says: "at '/image': 'Bad Image' does not match pattern" },
      {
        values: { kinds: ['Deployment'] },
        says: "at '/kinds/0': value must be one of 'MyDeployment', 'RolloutPolicy'",
      },
      { values: { kinds: [] }, says: "at '/kinds': minItems: got 0, want 1" },
      { values: { namespaces: ['Bad_NS'] }, says: "at '/namespaces/0': 'Bad_NS' does not match pattern" },
      { values: { certificates: 'vault' }, says: "at '/certificates': value must be one of 'self-managed'" },
      { values: { serviceMonitor: 'yes' }, says: "at '/serviceMonitor': got string, want boolean" },
      { values: { resources: { limits: { cpu: 'lots' } } }, says: "at '/resources/limits/cpu': 'lots' does not match" },
      { values: { resources: { cpu: '1' } }, says: "at '/resources': additional properties 'cpu' not allowed" },
      {
        values: { podLabels: { 'app.kubernetes.io/name': 'x' } },
        says: "at '/podLabels/app.kubernetes.io~1name': false schema",
      },
      { values: { podLabels: { 'a team': 'x' } }, says: "invalid propertyName 'a team'" },
      {
        values: { nodeSelector: { zone: 'a zone' } },
        says: "at '/nodeSelector/zone': 'a zone' does not match pattern",
      },
      { values: { replicaCount: 2 }, says: "additional properties 'replicaCount' not allowed" },
      { values: { webhooks: false, serviceMonitor: true }, says: 'serviceMonitor needs webhooks' },
    ])('$values', async ({ values, says }) => {
      const { code, stderr } = await helm('template', 'x', CHART, '-f', valuesFile(values));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
    });
  });
});

type Anything = { readonly [key: string]: never };

/** What the constructs make; with Helm, people have the namespace created. */
function constructs(values: (typeof INSTALLATIONS)[number]): Anything[] {
  const props = { image: 'mydeployment:0.1.0', namespace: NAMESPACE, ...values };
  const objects: Anything[] = Testing.synth(new OperatorChart(Testing.app(), 'x', props));
  return objects.filter(({ kind }) => kind !== 'Namespace');
}

/** Without the labels that only Helm's objects have, and without orders that mean nothing. */
function comparable(objects: readonly Anything[]): unknown[] {
  const plain = JSON.parse(JSON.stringify(objects), (key, value) => {
    if (['rules', 'verbs', 'webhooks'].includes(key)) return sorted(value);
    return value;
  }) as { metadata: { labels: Record<string, string>; name: string; namespace?: string }; kind: string }[];
  for (const { metadata } of plain) {
    const own = ['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by', 'app.kubernetes.io/version'];
    for (const label of [...own, 'helm.sh/chart']) delete metadata.labels[label];
  }
  return sorted(plain);
}

function sorted(list: readonly unknown[]): unknown[] {
  return list.toSorted((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
