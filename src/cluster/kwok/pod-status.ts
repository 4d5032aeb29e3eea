// What a pod's status says in each stage: Go templates that kwok renders to YAML, with the pod as `.`.
// They fill in what a kubelet would: conditions, a status for each container, addresses, phase.

export interface PodLook {
  readonly ready: boolean;
  /** The containers' state, YAML flow style without the outer braces. */
  readonly state: string;
  /** How many restarts to add to those already counted. */
  readonly restarts?: number;
  readonly phase?: 'Pending' | 'Running';
}

/** A pod that is on its node and has not finished. */
export function runningStatus(look: PodLook): string {
  const truth = look.ready ? 'True' : 'False';
  return `
{{ $now := Now }}
{{ $root := . }}
conditions:
- {type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }}}
- {type: Ready, status: "${truth}", lastTransitionTime: {{ $now | Quote }}}
- {type: ContainersReady, status: "${truth}", lastTransitionTime: {{ $now | Quote }}}
{{ range .spec.readinessGates }}
- {type: {{ .conditionType | Quote }}, status: "${truth}", lastTransitionTime: {{ $now | Quote }}}
{{ end }}
containerStatuses:
{{ range $index, $container := .spec.containers }}
- name: {{ $container.name | Quote }}
  image: {{ $container.image | Quote }}
  ready: ${look.ready}
  started: ${look.ready}
  restartCount: ${restartCount(look.restarts ?? 0)}
  state: {${look.state}}
{{ end }}
${INIT_CONTAINERS}
${ADDRESSES}
phase: ${look.phase ?? 'Running'}
startTime: {{ or .status.startTime $now | Quote }}
`;
}

/** A pod whose containers have ended for good. */
export function finishedStatus(phase: 'Succeeded' | 'Failed', exitCode: number): string {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return `
{{ $now := Now }}
conditions:
- {type: Ready, status: "False", reason: PodCompleted, lastTransitionTime: {{ $now | Quote }}}
- {type: ContainersReady, status: "False", reason: PodCompleted, lastTransitionTime: {{ $now | Quote }}}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  restartCount: 0
  state: {terminated: {exitCode: ${exitCode}, reason: ${reason}, finishedAt: {{ $now | Quote }}}}
{{ end }}
phase: ${phase}
`;
}

/** Earlier restarts stay counted, so that a crashing pod's count grows and a recovered one's does not shrink. */
function restartCount(more: number): string {
  const before = '( index $root.status.containerStatuses $index ).restartCount';
  return `{{ if $root.status.containerStatuses }}{{ add ( or ${before} 0 ) ${more} }}{{ else }}${more}{{ end }}`;
}

const INIT_CONTAINERS = `
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  restartCount: 0
  {{ if eq ( or .restartPolicy "" ) "Always" }}
  started: true
  state: {running: {startedAt: {{ $now | Quote }}}}
  {{ else }}
  state: {terminated: {exitCode: 0, reason: Completed, finishedAt: {{ $now | Quote }}}}
  {{ end }}
{{ end }}`;

/** Set once: a running pod keeps its address, and the API server refuses a second one of the same family. */
const ADDRESSES = `
{{ if not .status.podIP }}
{{ with NodeIPsWith .spec.nodeName }}
hostIP: {{ index . 0 | Quote }}
hostIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
{{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) .metadata.uid .metadata.name .metadata.namespace }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
{{ end }}`;
