// What a pod's status says in each stage: Go templates that kwok renders to YAML, with the pod as `.`, and merges into the status.
// They fill in what a kubelet would: conditions, a status for each container, addresses, phase.
//
// A container's status tells of which image and resources it is, so stages compare them with the spec as a kubelet does. A
// containerID comes from the pod's UID and the number of restarts: each start has its own.

export interface PodLook {
  /** Whether the containers that run are ready. */
  readonly ready: boolean;
  /** Which containers go on running: those that do and have the image of the spec, or none. @default 'current' */
  readonly goOn?: 'current' | 'none';
  /** What becomes of the others. */
  readonly others: 'start' | 'crash' | { readonly wait: string };
}

/** A pod that is on its node and has not finished. */
export function runningStatus({ ready, goOn, others }: PodLook): string {
  return `
${KNOWN}
${conditions(String(ready))}
containerStatuses:
{{ range $index, $container := .spec.containers }}
${CONTAINER}
{{ if ${goOn === 'none' ? 'false' : 'and $runs ( eq $was.image .image )'} }}
- {{ ${typeof others === 'object' ? '$was' : `set $was "ready" ${ready}`} | toJson }}
{{ else }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: ${ready}
  started: ${ready}
  lastState: {{ $last | toJson }}
  ${nextOf(others)}
{{ end }}
{{ end }}
${INIT_CONTAINERS}
${ADDRESSES}
${typeof others === 'object' ? '' : 'phase: Running'}
startTime: {{ or .status.startTime $now | Quote }}
`;
}

/** The containers stay as they are, and the pod is ready as far as its readiness gates say so. */
export function gatedStatus(): string {
  return `
${KNOWN}
${conditions('true')}`;
}

/** The containers go on with the resources of the spec. */
export function resizedStatus(): string {
  return `
${KNOWN}
conditions:
- {$patch: delete, type: PodResizePending}
containerStatuses:
{{ range $index, $container := .spec.containers }}
${CONTAINER}
{{ $_ := set $was "resources" .resources }}
- {{ set $was "allocatedResources" .resources.requests | toJson }}
{{ end }}`;
}

/** The containers go on with the resources that they have, and an annotation says why. */
export function refusedStatus(annotation: string): string {
  return `
${KNOWN}
conditions:
- type: PodResizePending
  status: "True"
  reason: {{ index .metadata.annotations "${annotation}" | Quote }}
  observedGeneration: {{ .metadata.generation }}
  lastTransitionTime: {{ $now | Quote }}`;
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

/** The time, the pod as $root, the conditions that it has, and that the kubelet has seen this spec. */
const KNOWN = `
{{ $now := Now }}
{{ $root := . }}
{{ $conditions := dict }}
{{ range .status.conditions }}{{ $_ := set $conditions .type .status }}{{ end }}
observedGeneration: {{ or .metadata.generation 0 }}`;

/** Of a container: its status so far, whether it runs, and how it ended last if it ends now. */
const CONTAINER = `
{{ $was := dict }}
{{ with $root.status.containerStatuses }}{{ $was = index . $index }}{{ end }}
{{ $runs := dig "state" "running" false $was }}
{{ $last := or $was.lastState dict }}
{{ if $runs }}
{{ $ending := dict "exitCode" 0 "reason" "Completed" "containerID" $was.containerID }}
{{ $_ := set $ending "startedAt" $runs.startedAt }}
{{ $_ = set $ending "finishedAt" $now }}
{{ $last = dict "terminated" $ending }}
{{ end }}`;

/** Earlier restarts stay counted. A container that crashes has been restarted by the time that it is seen. */
function nextOf(others: PodLook['others']): string {
  switch (others) {
    case 'start':
      return `
  {{ $restarts := 0 }}{{ if $was.containerID }}{{ $restarts = add $was.restartCount 1 }}{{ end }}
  ${started('$restarts')}
  resources: {{ .resources | toJson }}
  allocatedResources: {{ .resources.requests | toJson }}
  state: {running: {startedAt: {{ $now | Quote }}}}`;
    case 'crash':
      return `
  {{ $restarts := add ( or $was.restartCount 0 ) 1 }}
  ${started('$restarts')}
  state: {waiting: {reason: CrashLoopBackOff}}`;
    default:
      return `
  restartCount: {{ or $was.restartCount 0 }}
  containerID: {{ or $was.containerID "" | Quote }}
  state: {waiting: {reason: ${others.wait}}}`;
  }
}

function started(restarts: string): string {
  return `
  restartCount: {{ ${restarts} }}
  containerID: {{ printf "kwok://%s" ( printf "%s/%s/%d" $root.metadata.uid .name ${restarts} | sha256sum ) | Quote }}`;
}

/**
 * A pod is ready when its containers and all of its readiness gates are. A condition that stays as it is keeps its time, because
 * the patch does not mention it.
 */
function conditions(containersReady: string): string {
  return `
{{ $ready := ${containersReady} }}
{{ range .spec.readinessGates }}
{{ if ne ( get $conditions .conditionType ) "True" }}{{ $ready = false }}{{ end }}
{{ end }}
{{ $unready := "ReadinessGatesNotReady" }}{{ if not ${containersReady} }}{{ $unready = "ContainersNotReady" }}{{ end }}
conditions:
${condition('Initialized', '"True"', 'null')}
${condition('Ready', '( ternary "True" "False" $ready )', '{{ ternary "null" $unready $ready }}')}
${condition('ContainersReady', `( ternary "True" "False" ${containersReady} )`, `{{ ternary "null" $unready ${containersReady} }}`)}`;
}

function condition(type: string, status: string, reason: string): string {
  return `
- type: ${type}
  status: {{ ${status} | Quote }}
  reason: ${reason}
  {{ if ne ( get $conditions "${type}" ) ${status} }}lastTransitionTime: {{ $now | Quote }}{{ end }}`;
}

const INIT_CONTAINERS = `
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  ${started('0')}
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
