// The Helm chart, made from the constructs: the installation is rendered for every combination of what changes its shape,
// with placeholders where a value goes, and what came out is laid over each other. So the chart has what the constructs
// have, and a test renders it with Helm and compares.

import { ApiObject, App } from 'cdk8s';
import { stringify } from 'yaml';
import type { KindName } from '../kinds/kind-name.ts';
import { KINDS } from '../kinds/kinds.ts';
import { OperatorChart } from '../operator/chart.ts';
import { conditionFor, type Profile } from './condition.ts';
import { type Json, type Merged, merge, type Sample } from './merge.ts';
import { NOTES } from './notes.ts';
import { expression, fillers, isForEachNamespace, KINDS_FLAG, PLACEHOLDERS } from './placeholders.ts';
import { printFields } from './print.ts';
import { chartValues } from './values.ts';

export interface ChartIdentity {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly image: string;
}

type Rendered = { readonly [key: string]: Json } & {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

/** The files of the chart, by their path in it; the CRDs come from elsewhere. */
export function helmChart(identity: ChartIdentity): Map<string, string> {
  const values = chartValues(identity.image);
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    // `global` is what a chart gets from one that it is part of.
    properties: Object.fromEntries([
      ...values.map(({ name, description, schema }) => [name, { description, ...schema }]),
      ['global', { type: 'object' }],
    ]),
    required: values.map(({ name }) => name),
    additionalProperties: false,
  };
  return new Map([
    ['Chart.yaml', chartFile(identity)],
    ['values.yaml', values.map(valueText).join('\n')],
    ['values.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`],
    ['templates/_helpers.tpl', HELPERS],
    ['templates/NOTES.txt', NOTES],
    ...[...templates()].map(([part, text]): [string, string] => [`templates/${part}.yaml`, text]),
  ]);
}

function chartFile({ name, version, description }: ChartIdentity): string {
  return stringify({
    apiVersion: 'v2',
    name,
    description,
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: '>=1.30.0-0',
    keywords: ['kubernetes', 'operator', 'deployment', 'cdk8s'],
  });
}

function valueText({ name, description, default: value }: { name: string; description: string; default: unknown }) {
  return `# ${description}\n${stringify({ [name]: value }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

/** Labels by which Helm's own objects are found, and a check that no schema can express. */
const HELPERS = `{{- define "mydeployment.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- if and .Values.serviceMonitor (not .Values.webhooks) (ne .Values.certificates "cert-manager") }}
{{- fail "serviceMonitor needs webhooks, or certificates of cert-manager" }}
{{- end }}
{{- end }}
`;

/** A text for each part of the installation. */
function templates(): Map<string, string> {
  const profiles = allProfiles();
  const parts = new Map<string, Map<string, Sample[]>>();
  for (const profile of profiles) {
    for (const { part, object } of render(profile)) {
      const objects = parts.get(part) ?? new Map<string, Sample[]>();
      const id = [object.kind, object.metadata.name, object.metadata.namespace].join('/');
      objects.set(id, [...(objects.get(id) ?? []), { profile, value: object }]);
      parts.set(part, objects);
    }
  }
  const among = new Set(profiles);
  return new Map(
    [...parts].map(([part, objects]) => [part, [...objects.values()].map((each) => template(each, among)).join('')]),
  );
}

function template(samples: readonly Sample[], among: ReadonlySet<Profile>): string {
  const object = samples[0]?.value as Rendered;
  const [{ present, node } = { present: among, node: undefined }] = merge(samples);
  const { fields } = node as Extract<Merged, { type: 'map' }>;
  const texts = { fillers: fillers(object.kind), expression };
  const lines = ['---', ...printFields(fields, present, texts)];
  const ranged = isForEachNamespace(object.metadata.namespace)
    ? ['{{- range $.Values.namespaces }}', ...lines, '{{- end }}']
    : conditional(lines, present, among);
  return `${ranged.join('\n')}\n`;
}

function conditional(lines: string[], present: ReadonlySet<Profile>, among: ReadonlySet<Profile>): string[] {
  const condition = conditionFor(present, among);
  return condition === '' ? lines : [`{{- if ${condition} }}`, ...lines, '{{- end }}'];
}

/** What one installation has. The namespace is left out: with Helm, people name one and have it created. */
function render(profile: Profile): { readonly part: string; readonly object: Rendered }[] {
  const { certManager, namespaces, shards, ...rest } = profile;
  const chart = new OperatorChart(new App(), 'chart', {
    ...rest,
    image: PLACEHOLDERS.image,
    namespace: PLACEHOLDERS.namespace,
    priorityClass: PLACEHOLDERS.priorityClass,
    certificates: certManager ? 'cert-manager' : 'self-managed',
    ...(namespaces && { namespaces: [PLACEHOLDERS.namespaces] }),
    ...(shards && { shards: 2 }),
  });
  return chart.node.children.flatMap(({ node }) =>
    node
      .findAll()
      .filter((construct) => construct instanceof ApiObject)
      .map((object) => ({ part: node.id, object: withoutKinds(object.toJson()) as Rendered }))
      .filter(({ object }) => object.kind !== 'Namespace'),
  );
}

/** Every shape of an installation: all kinds, and each of them alone, with every switch on and off. */
function allProfiles(): Profile[] {
  const names = Object.keys(KINDS) as KindName[];
  const sets = [names, ...names.map((name) => [name])];
  const either = [true, false];
  return sets.flatMap((kinds) =>
    either.flatMap((webhooks) =>
      either.flatMap((certManager) =>
        either.flatMap((namespaces) =>
          either.flatMap((serviceMonitor) =>
            either.flatMap((defaultSpread) =>
              either
                .map((shards) => ({
                  kinds,
                  webhooks,
                  certManager,
                  namespaces,
                  serviceMonitor,
                  defaultSpread,
                  shards,
                }))
                // Without any certificate there are no metrics to tell about.
                .filter(() => !serviceMonitor || webhooks || certManager),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The flag that names the kinds is another for each set of them; the value goes there. */
function withoutKinds(object: object): object {
  return JSON.parse(JSON.stringify(object), (_, value) =>
    typeof value === 'string' && value.startsWith(KINDS_FLAG) ? KINDS_FLAG : value,
  );
}
