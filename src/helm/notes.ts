// What Helm prints after an installation or an upgrade.

import { INSTALLATION } from '../operator/names.ts';

export const NOTES = `The MyDeployment operator ({{ .Values.image }}) is installed in the namespace {{ .Release.Namespace }}.
It runs {{ join ", " .Values.kinds }} in {{ if .Values.namespaces }}{{ join ", " .Values.namespaces }}{{ else }}every namespace{{ end }}.

Wait until it is ready:

  kubectl -n {{ .Release.Namespace }} rollout status deployment/${INSTALLATION.manager}

Let Pod Security hold its namespace to the strictest level; the operator's pods pass it:

  kubectl label namespace {{ .Release.Namespace }} pod-security.kubernetes.io/enforce=restricted

Helm installs the CRDs once, and neither upgrades nor deletes them. Before an upgrade of the chart, apply those of the new one:

  helm show crds CHART | kubectl apply --server-side --force-conflicts -f -
{{- if not .Values.webhooks }}

Webhooks are off: mistakes in pod templates show as conditions of the object, not when it is applied.
{{- end }}

After \`helm uninstall\` the CRDs, the objects of these kinds and their pods stay.
`;
