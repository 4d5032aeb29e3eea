// Where values of a person go into the templates. Some are strings all over the installation, which is rendered with
// placeholders for them; the others have one place each in the operator's Deployment.

import type { Filler, Fillers } from './print.ts';

/** Names that nothing else has, and that the constructs accept. */
export const PLACEHOLDERS = {
  image: 'placeholder.example.com/image:0',
  namespace: 'placeholder-release',
  namespaces: 'placeholder-each',
  priorityClass: 'placeholder-priority',
} as const;

/** Whether an object is there once for each namespace that the operator works in. */
export function isForEachNamespace(namespace: string | undefined): boolean {
  return namespace === PLACEHOLDERS.namespaces;
}

export const KINDS_FLAG = '--kinds=';
const NAMESPACES_FLAG = '--namespaces=';
const SHARDS_FLAG = '--shards=';

/** A string as a template expression, if values go into it. */
export function expression(text: string): string | undefined {
  if (text.includes('{{')) throw new Error(`Helm would take ${text} for a template`);
  if (text === PLACEHOLDERS.image) return '{{ $.Values.image | quote }}';
  if (text === PLACEHOLDERS.priorityClass) return '{{ $.Values.priorityClass | quote }}';
  if (text === PLACEHOLDERS.namespaces) return '{{ . }}';
  if (text.startsWith(KINDS_FLAG)) return `"${KINDS_FLAG}{{ join "," $.Values.kinds | lower }}"`;
  if (text.startsWith(NAMESPACES_FLAG)) return `"${NAMESPACES_FLAG}{{ join "," $.Values.namespaces }}"`;
  if (text.startsWith(SHARDS_FLAG)) return `"${SHARDS_FLAG}{{ $.Values.shards }}"`;
  if (!text.includes(PLACEHOLDERS.namespace)) return undefined;
  return `"${text.replaceAll(PLACEHOLDERS.namespace, '{{ $.Release.Namespace }}')}"`;
}

const POD = 'spec.template.spec';
const LABELS = ['metadata.labels.*', after((indent) => include('mydeployment.labels', indent))] as const;

/** What stands in the place of a field, or of the fields of a map, by its path. */
export function fillers(kind: string): Fillers {
  switch (kind) {
    case 'Deployment':
      return new Map([
        LABELS,
        ['spec.replicas', (indent) => [`${indent}replicas: {{ $.Values.replicas }}`]],
        [`${POD}.affinity`, unless('affinity')],
        [`${POD}.containers[].args`, after(serverFlags)],
        [`${POD}.containers[].resources`, block('resources')],
        [`${POD}.*`, after((indent) => [...block('nodeSelector')(indent, []), ...block('tolerations')(indent, [])])],
        ['spec.template.metadata.annotations.*', after(entries('podAnnotations'))],
        ['spec.template.metadata.labels.*', after(entries('podLabels'))],
      ]);
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return new Map([
        LABELS,
        [
          'webhooks[].namespaceSelector.matchExpressions[].values',
          (indent) => [`${indent}values: {{ toJson $.Values.namespaces }}`],
        ],
      ]);
    default:
      return new Map([LABELS]);
  }
}

/** Further lines after what the constructs have. */
function after(added: (indent: string) => string[]): Filler {
  return (indent, lines) => [...lines, ...added(indent)];
}

/** The value under its own name in the place of what the constructs have, unless it is empty. */
function unless(value: string): Filler {
  return (indent, lines) => block(value)(indent, []).toSpliced(-1, 0, `${indent}{{- else }}`, ...lines);
}

/** The value under its own name, unless it is empty. */
function block(value: string): Filler {
  return (indent) => [
    `${indent}{{- with $.Values.${value} }}`,
    `${indent}${value}:`,
    `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`,
    `${indent}{{- end }}`,
  ];
}

/** What is in the value, among other fields. */
function entries(value: string): (indent: string) => string[] {
  return (indent) => [
    `${indent}{{- with $.Values.${value} }}`,
    `${indent}{{- toYaml . | nindent ${indent.length} }}`,
    `${indent}{{- end }}`,
  ];
}

/** One flag for each server. */
function serverFlags(indent: string): string[] {
  return [
    `${indent}  {{- range $name, $url := $.Values.prometheus }}`,
    `${indent}  - {{ printf "--prometheus=%s=%s" $name $url | quote }}`,
    `${indent}  {{- end }}`,
  ];
}

function include(name: string, indent: string): string[] {
  return [`${indent}{{- include "${name}" $ | nindent ${indent.length} }}`];
}
