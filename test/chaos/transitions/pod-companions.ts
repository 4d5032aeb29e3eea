// What must stand beside a field of a pod template for the API server to look at the field itself.

import type { Companion } from './samples.ts';

/** Of the selector and the template. */
export const LABELS = { app: 'web', key: 'text' };

export const podCompanions: readonly Companion[] = [
  { at: /^spec$/, fields: { selector: { matchLabels: LABELS } } },
  {
    at: /^spec$/,
    towards: /^spec\.(?!template)/,
    fields: { template: { metadata: { labels: LABELS }, spec: { containers: [{ name: 'web', image: 'web:v1' }] } } },
  },
  { at: /^spec\.template$/, fields: { metadata: { labels: LABELS } } },
  { at: /^spec\.template\.metadata$/, fields: { labels: LABELS } },
  { at: /^spec\.template\.metadata\.labels$|^spec\.selector\.matchLabels$/, fields: { app: 'web' } },
  { at: /^spec\.template\.spec$/, fields: { containers: [{ name: 'web', image: 'web:v1' }] } },
  { at: /ontainers\[\]$/, fields: { image: 'web:v1' } },
  { at: /Probe$/, towards: /Probe\.(?!exec|grpc|httpGet|tcpSocket)/, fields: { tcpSocket: { port: 80 } } },
  { at: /^spec\.template\.spec$/, towards: /stopSignal/, fields: { os: { name: 'linux' } } },
  {
    at: /^spec\.template\.spec$/,
    towards: /volumeMounts|fileKeyRef/,
    fields: { volumes: [{ name: 'data', emptyDir: {} }] },
  },
  {
    at: /^spec\.template\.spec$/,
    towards: /volumeDevices/,
    fields: { volumes: [{ name: 'block', persistentVolumeClaim: { claimName: 'block' } }] },
  },
  {
    at: /^spec\.template\.spec$/,
    towards: /resources\.claims/,
    fields: { resourceClaims: [{ name: 'claim', resourceClaimName: 'claim' }] },
  },
  { at: /resourceClaims\[\]$/, towards: /\.name$|\[\]$/, fields: { resourceClaimName: 'claim' } },
  { at: /ontainers\[\]$/, towards: /restartPolicyRules/, fields: { restartPolicy: 'Never' } },
  { at: /exitCodes$/, fields: { values: [1] } },
  { at: /restartPolicyRules\[\]$/, towards: /action$/, fields: { exitCodes: { operator: 'In', values: [1] } } },
  { at: /(seccomp|appArmor)Profile$/, towards: /localhostProfile$/, fields: { type: 'Localhost' } },
  { at: /matchExpressions\[\]$/, towards: /\.values/, fields: { operator: 'In' } },
  { at: /^spec\.selector\.matchExpressions\[\]$/, towards: /\.values/, fields: { operator: 'NotIn' } },
  { at: /matchFields\[\]$/, towards: /matchFields\[\]\.(key|operator)$/, fields: { values: ['node'] } },
  { at: /tolerations\[\]$/, fields: { key: 'text' } },
  { at: /tolerations\[\]$/, towards: /tolerationSeconds$/, fields: { effect: 'NoExecute' } },
  {
    at: /topologySpreadConstraints\[\]$|requiredDuringSchedulingIgnoredDuringExecution\[\]$|podAffinityTerm$/,
    towards: /atchLabelKeys/,
    fields: { labelSelector: { matchLabels: { tier: 'front' } } },
  },
  { at: /topologySpreadConstraints\[\]$/, towards: /minDomains$/, fields: { whenUnsatisfiable: 'DoNotSchedule' } },
  { at: /httpGet$/, fields: { path: '/' } },
  { at: /sources\[\]\.(clusterTrustBundle)$/, fields: { name: 'bundle' } },
  { at: /clusterTrustBundle$/, towards: /signerName|labelSelector/, fields: { signerName: 'example.com/signer' } },
  { at: /podCertificate$/, fields: { credentialBundlePath: 'bundle.pem' } },
  {
    at: /volumeClaimTemplate$/,
    fields: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  {
    at: /volumeClaimTemplate\.spec$/,
    fields: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    at: /volumeClaimTemplate\.spec\.resources$/,
    towards: /resources\.limits/,
    fields: { requests: { storage: '1Gi' } },
  },
  { at: /initContainers\[\]$/, towards: /(lifecycle|Probe)/, fields: { restartPolicy: 'Always' } },
  {
    at: /((configMap|secret)KeyRef|configMapRef|envFrom\[\]\.secretRef)$/,
    towards: /(KeyRef|Ref)\.(key|optional)$/,
    fields: { name: 'text' },
  },
  { at: /envFrom\[\]$/, towards: /prefix$/, fields: { configMapRef: { name: 'text' } } },
  { at: /\.configMap$|sources\[\]\.secret$/, fields: { name: 'text' } },
  { at: /volumes\[\]\.secret$/, fields: { secretName: 'text' } },
  { at: /volumes\[\]\.(scaleIO|storageos)$/, fields: { volumeName: 'text' } },
  { at: /volumes\[\]\.(scaleIO)$/, fields: { secretRef: { name: 'text' } } },
  { at: /volumes\[\]\.fc$/, towards: /targetWWNs/, fields: { lun: 1 } },
  { at: /volumes\[\]\.fc$/, towards: /fc\.(fsType|lun|readOnly)$/, fields: { wwids: ['text'] } },
  { at: /volumes\[\]\.fc$/, towards: /fc\.lun$/, fields: { wwids: [], targetWWNs: ['text'] } },
  { at: /volumes\[\]\.iscsi$/, towards: /chapAuth/, fields: { secretRef: { name: 'text' } } },
  { at: /volumes\[\]\.azureDisk$/, fields: { kind: 'Managed' } },
  // The scheduler keeps those who write to the same disk apart, and many try these at the same time on a few nodes.
  { at: /volumes\[\]\.(iscsi|rbd|gcePersistentDisk)$/, fields: { readOnly: true } },
  {
    at: /downwardAPI\.items\[\]$/,
    towards: /items\[\]\.(path|mode)$/,
    fields: { fieldRef: { fieldPath: 'metadata.name' } },
  },
  { at: /items\[\]\.resourceFieldRef$/, fields: { containerName: 'web' } },
  { at: /dnsConfig\.options\[\]$/, fields: { name: 'ndots' } },
  { at: /^spec\.template\.spec$/, towards: /hostProcess$/, fields: { hostNetwork: true } },
  {
    at: /^spec\.template\.spec$/,
    towards: /initContainers\[\].*hostProcess$/,
    fields: { securityContext: { windowsOptions: { hostProcess: true } } },
  },
];
