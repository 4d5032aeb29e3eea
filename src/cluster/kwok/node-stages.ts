// The stages of nodes on the embedded cluster: a node becomes Ready at once with the capacity that it was created with. kwok
// renews its Lease, which keeps it alive; the status heartbeat only refreshes times.

import { stage } from './stage.ts';

const ready = '.status.conditions.[] | select( .type == "Ready" ) | .status';

const CONDITIONS = `
{{ $now := Now }}
{{ $since := or .metadata.creationTimestamp $now }}
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $since | Quote }}
{{ end }}`;

const IDENTITY = `
addresses:
- {type: InternalIP, address: {{ NodeIP | Quote }}}
- {type: Hostname, address: {{ .metadata.name | Quote }}}
nodeInfo:
  architecture: amd64
  operatingSystem: linux
  osImage: kwok
  kernelVersion: kwok
  containerRuntimeVersion: kwok
  kubeletVersion: {{ printf "kwok-%s" Version | Quote }}
  kubeProxyVersion: ""
  machineID: ""
  systemUUID: ""
  bootID: ""
phase: Running`;

export const nodeStages: readonly object[] = [
  stage({
    name: 'node-ready',
    kind: 'Node',
    when: [{ key: ready, operator: 'NotIn', values: ['True'] }],
    next: { status: `${CONDITIONS}${IDENTITY}` },
  }),
  stage({
    name: 'node-heartbeat',
    kind: 'Node',
    when: [{ key: ready, operator: 'In', values: ['True'] }],
    after: { ms: 300_000, jitterMs: 360_000 },
    next: { status: CONDITIONS },
  }),
];
