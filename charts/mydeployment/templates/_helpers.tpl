{{- define "mydeployment.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- if and .Values.serviceMonitor (not .Values.webhooks) (ne .Values.certificates "cert-manager") }}
{{- fail "serviceMonitor needs webhooks, or certificates of cert-manager" }}
{{- end }}
{{- end }}
