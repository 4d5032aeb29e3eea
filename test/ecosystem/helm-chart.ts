// A chart of a user of Helm: one workload of each kind that the values name, all with the same spec.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { BEHAVIOUR, type Behaviour, READY_AFTER } from '../../src/testing/index.ts';

export type WorkloadKind = 'Deployment' | 'MyDeployment';

export interface Values {
  readonly kinds: readonly WorkloadKind[];
  readonly image: string;
  readonly replicas: number;
  /** How long a pod takes to become ready. */
  readonly readyAfter?: string;
  readonly behaviour?: Behaviour;
  readonly progressDeadlineSeconds?: number;
  readonly paused?: boolean;
}

const TEMPLATE = `{{- range $kind := .Values.kinds }}
---
apiVersion: {{ eq $kind "Deployment" | ternary "apps/v1" "kubebuilder.zq.com/v1beta1" }}
kind: {{ $kind }}
metadata:
  name: web
spec:
  replicas: {{ $.Values.replicas }}
  progressDeadlineSeconds: {{ $.Values.progressDeadlineSeconds | default 600 }}
  paused: {{ $.Values.paused | default false }}
  selector:
    matchLabels: { kind: {{ $kind }} }
  template:
    metadata:
      labels: { kind: {{ $kind }} }
      annotations:
        {{- with $.Values.readyAfter }}
        ${READY_AFTER}: {{ . }}
        {{- end }}
        {{- with $.Values.behaviour }}
        ${BEHAVIOUR}: {{ . }}
        {{- end }}
    spec:
      containers: [{ name: web, image: {{ $.Values.image }} }]
{{- end }}
`;

/** The folder of the chart. */
export function writeChart(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  mkdirSync(join(folder, 'templates'));
  writeFileSync(join(folder, 'Chart.yaml'), stringify({ apiVersion: 'v2', name: 'web', version: '1.0.0' }));
  writeFileSync(join(folder, 'templates', 'web.yaml'), TEMPLATE);
  return folder;
}

/** The arguments by which Helm gets these values. Every value is given: an upgrade keeps none of the release before. */
export function withValues(values: Values): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);
}
