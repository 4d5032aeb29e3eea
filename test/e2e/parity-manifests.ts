// Specs that a Deployment and a MyDeployment are given alike, as changes of a small good one. Where the two answer
// differently, the table says what ours says and why that is accepted; everything else has to be the same.

import { merged } from '../support/merge-patch.ts';
import type { Change } from './scene.ts';

export const GOOD: Change = {
  replicas: 2,
  selector: { matchLabels: { app: 'web' } },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:v1' }] } },
};

export interface Manifest {
  readonly name: string;
  readonly change: Change;
}

export interface Refused extends Manifest {
  /** Absent when both say the same. */
  readonly differs?: { readonly because: string; readonly ours: readonly string[] };
}

/** What the schema and its rules refuse never reaches our webhook. They hold without it too, so they stay. */
const SCHEMA = 'the schema of the CRD speaks first, in its own words about the same field';
const STOPS = 'the schema speaks first, and what it refuses is not looked at any further';
const QUOTES = 'a rule of the schema shows text without quotes';
const SEED = 'labels that miss the selector are refused in the words that this project began with';
const OWN_WORDS = 'the rule speaks of MyDeployment and not of the ReplicaSet that a Deployment has';

const container = (change: Change): Change => ({
  template: { spec: { containers: [{ name: 'web', image: 'web:v1', ...change }] } },
});
const containers = (...list: readonly Change[]): Change => ({ template: { spec: { containers: list } } });
const podSpec = (spec: Change): Change => ({ template: { spec } });
const rollingUpdate = (pace: Change): Change => ({ strategy: { rollingUpdate: pace } });
const labels = (more: Change): Change => ({ template: { metadata: { labels: more } } });
const expression = (requirement: Change): Change => ({ selector: { matchExpressions: [requirement] } });

const LABELS = 'spec.template.metadata.labels';
const MUST_EQUAL = '.spec.template.metadata.labels must equal with .spec.selector.matchlabels';

export const REFUSED: readonly Refused[] = [
  {
    name: 'no selector',
    change: { selector: null },
    differs: { because: STOPS, ours: ['spec.selector: Required value'] },
  },
  {
    name: 'an empty selector',
    change: { selector: { matchLabels: null } },
    differs: {
      because: SCHEMA,
      ours: [
        'spec.selector: Invalid value: empty selector is invalid for a MyDeployment: it would select every pod of the namespace',
      ],
    },
  },
  {
    name: 'labels that miss the selector',
    change: labels({ app: 'other' }),
    differs: { because: SEED, ours: [`${LABELS}: Invalid value: {"app":"other"}: ${MUST_EQUAL}`] },
  },
  {
    name: 'labels that miss an expression of the selector',
    change: expression({ key: 'tier', operator: 'Exists' }),
    differs: {
      because: SEED,
      ours: [
        `${LABELS}: Invalid value: {"app":"web"}: .spec.template.metadata.labels must satisfy .spec.selector.matchExpressions: not met ["tier Exists []"]`,
      ],
    },
  },
  {
    name: 'an expression with values that it must not have',
    change: expression({ key: 'app', operator: 'Exists', values: ['web'] }),
    differs: {
      because: 'the same cause; native adds that the selector as a whole is invalid, which says nothing new',
      ours: [
        "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      ],
    },
  },
  {
    name: 'a negative number of replicas',
    change: { replicas: -1 },
    differs: {
      because: SCHEMA,
      ours: [
        '.spec.replicas: Invalid value: -1: should be a non-negative integer',
        'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
      ],
    },
  },
  {
    name: 'a negative minReadySeconds',
    change: { minReadySeconds: -1 },
    differs: {
      because: SCHEMA,
      ours: [
        'spec.minReadySeconds: Invalid value: -1: spec.minReadySeconds in body should be greater than or equal to 0',
      ],
    },
  },
  {
    name: 'a negative revisionHistoryLimit',
    change: { revisionHistoryLimit: -1 },
    differs: {
      because: SCHEMA,
      ours: [
        'spec.revisionHistoryLimit: Invalid value: -1: spec.revisionHistoryLimit in body should be greater than or equal to 0',
      ],
    },
  },
  { name: 'a deadline no longer than minReadySeconds', change: { minReadySeconds: 10, progressDeadlineSeconds: 10 } },
  { name: 'a deadline of nothing', change: { progressDeadlineSeconds: 0 } },
  {
    name: 'an unknown strategy',
    change: { strategy: { type: 'BlueGreen' } },
    differs: {
      because: 'the schema speaks first, and blames the type where native blames the whole strategy',
      ours: ['spec.strategy.type: Unsupported value: "BlueGreen": supported values: "RollingUpdate", "Recreate"'],
    },
  },
  { name: 'a pace for Recreate', change: { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
  { name: 'neither surge nor unavailability', change: rollingUpdate({ maxSurge: 0, maxUnavailable: 0 }) },
  {
    name: 'neither surge nor unavailability, in percent',
    change: rollingUpdate({ maxSurge: '0%', maxUnavailable: '0%' }),
    differs: {
      because: QUOTES,
      ours: ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0%: may not be 0 when `maxSurge` is 0'],
    },
  },
  {
    name: 'more unavailable than there are',
    change: rollingUpdate({ maxUnavailable: '101%' }),
    differs: {
      because: QUOTES,
      ours: ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 101%: must not be greater than 100%'],
    },
  },
  {
    name: 'a surge in words',
    change: rollingUpdate({ maxSurge: 'many' }),
    differs: {
      because: SCHEMA,
      ours: [
        `spec.strategy.rollingUpdate.maxSurge: Invalid value: "many": spec.strategy.rollingUpdate.maxSurge in body should match '^[0-9]+%$'`,
      ],
    },
  },
  {
    name: 'no containers',
    change: containers(),
    differs: {
      because: SCHEMA,
      ours: [
        'spec.template.spec.containers: Invalid value: 0: spec.template.spec.containers in body should have at least 1 items',
      ],
    },
  },
  { name: 'a container without an image', change: containers({ name: 'web' }) },
  { name: 'a container without a name', change: containers({ image: 'web:v1' }) },
  {
    name: 'two containers of one name',
    change: containers({ name: 'web', image: 'web:v1' }, { name: 'web', image: 'web:v2' }),
    differs: {
      because: 'the schema knows the list by its key, and blames the whole entry',
      ours: ['spec.template.spec.containers[1]: Duplicate value: {"name":"web"}'],
    },
  },
  { name: 'a container with a bad name', change: containers({ name: 'Web!', image: 'web:v1' }) },
  { name: 'a port that does not exist', change: container({ ports: [{ containerPort: 70_000 }] }) },
  { name: 'an unknown protocol', change: container({ ports: [{ containerPort: 80, protocol: 'FTP' }] }) },
  { name: 'a mount of no volume', change: container({ volumeMounts: [{ name: 'none', mountPath: '/data' }] }) },
  {
    name: 'requests above limits',
    change: container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
  },
  { name: 'an unknown pull policy', change: container({ imagePullPolicy: 'Sometimes' }) },
  { name: 'an impossible variable', change: container({ env: [{ name: 'A=B', value: 'c' }] }) },
  { name: 'a probe of port 0', change: container({ livenessProbe: { httpGet: { path: '/', port: 0 } } }) },
  {
    name: 'a probe of two sorts',
    change: container({ livenessProbe: { httpGet: { path: '/', port: 80 }, tcpSocket: { port: 80 } } }),
  },
  {
    name: 'a host port that differs on the host network',
    change: podSpec({
      hostNetwork: true,
      containers: [{ name: 'web', image: 'web:v1', ports: [{ containerPort: 80, hostPort: 81 }] }],
    }),
  },
  {
    name: 'another restart policy',
    change: podSpec({ restartPolicy: 'Never' }),
    differs: {
      because: OWN_WORDS,
      ours: [
        'spec.template.spec.restartPolicy: Invalid value: "Never": must be Always: a MyDeployment keeps its pods running',
      ],
    },
  },
  {
    name: 'a deadline for pods',
    change: podSpec({ activeDeadlineSeconds: 30 }),
    differs: {
      because: OWN_WORDS,
      ours: [
        'spec.template.spec.activeDeadlineSeconds: Forbidden: not supported: the pods of a MyDeployment run until they are replaced',
      ],
    },
  },
  { name: 'an unknown DNS policy', change: podSpec({ dnsPolicy: 'Nonsense' }) },
  { name: 'an impossible label', change: labels({ 'not ok': 'x' }) },
  { name: 'an impossible label value', change: labels({ other: 'not ok!' }) },
  { name: 'an impossible annotation', change: { template: { metadata: { annotations: { 'a b': 'x' } } } } },
  { name: 'an impossible node selector', change: podSpec({ nodeSelector: { 'a b': 'c' } }) },
  { name: 'an unknown toleration', change: podSpec({ tolerations: [{ key: 'a', operator: 'Sometimes' }] }) },
  {
    name: 'a spread of nothing',
    change: podSpec({
      topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    }),
  },
  { name: 'ephemeral containers', change: podSpec({ ephemeralContainers: [{ name: 'debug', image: 'debug' }] }) },
  {
    name: 'two mistakes in the template',
    change: podSpec({ dnsPolicy: 'Nonsense', tolerations: [{ key: 'a', operator: 'Sometimes' }] }),
  },
  {
    name: 'a mistake in the spec and one in the template',
    change: { progressDeadlineSeconds: 5, minReadySeconds: 10, ...podSpec({ dnsPolicy: 'Nonsense' }) },
    differs: {
      because: STOPS,
      ours: ['spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds'],
    },
  },
];

const PARTS: readonly Manifest[] = [
  { name: 'the minimum', change: { replicas: null } },
  { name: 'two replicas', change: {} },
  { name: 'none at all', change: { replicas: 0 } },
  { name: 'paused from the start', change: { paused: true } },
  { name: 'Recreate', change: { strategy: { type: 'Recreate' } } },
  { name: 'numbers for the pace', change: rollingUpdate({ maxSurge: 2, maxUnavailable: 0 }) },
  { name: 'percentages for the pace', change: rollingUpdate({ maxSurge: '150%', maxUnavailable: '100%' }) },
  { name: 'no history', change: { revisionHistoryLimit: 0 } },
  { name: 'no deadline', change: { progressDeadlineSeconds: 2_147_483_647 } },
  { name: 'minReadySeconds', change: { minReadySeconds: 1 } },
  {
    name: 'a selector of expressions',
    change: {
      selector: { matchLabels: null, matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'other'] }] },
    },
  },
  {
    name: 'labels, annotations and a finalizer of its own',
    change: {
      template: {
        metadata: { labels: { tier: 'front' }, annotations: { note: 'text' }, finalizers: ['example.com/hold'] },
      },
    },
  },
  {
    name: 'several containers, an init container and a sidecar',
    change: podSpec({
      initContainers: [
        { name: 'first', image: 'first' },
        { name: 'sidecar', image: 'sidecar', restartPolicy: 'Always' },
      ],
      containers: [
        { name: 'web', image: 'web:v1' },
        { name: 'helper', image: 'helper@sha256:0000000000000000000000000000000000000000000000000000000000000000' },
      ],
    }),
  },
  {
    name: 'defaults written out and an empty restart policy',
    change: podSpec({ restartPolicy: '', dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30 }),
  },
  {
    name: 'ports, variables, probes and lifecycle',
    change: container({
      command: ['web'],
      args: ['--port', '8080'],
      workingDir: '/srv',
      ports: [
        { name: 'http', containerPort: 8080 },
        { name: 'dns', containerPort: 53, protocol: 'UDP' },
      ],
      env: [
        { name: 'PLAIN', value: 'text' },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'keys', key: 'one', optional: true } } },
      ],
      envFrom: [{ configMapRef: { name: 'settings', optional: true } }],
      livenessProbe: { httpGet: { path: '/live', port: 'http' }, periodSeconds: 5 },
      readinessProbe: { tcpSocket: { port: 8080 } },
      startupProbe: { exec: { command: ['true'] } },
      lifecycle: { preStop: { sleep: { seconds: 1 } } },
    }),
  },
  {
    name: 'requests and limits in every notation',
    change: container({
      resources: { requests: { cpu: '0.5', memory: 134_217_728 }, limits: { cpu: 2, memory: '1Gi' } },
    }),
  },
  {
    name: 'volumes of many sorts',
    change: podSpec({
      containers: [{ name: 'web', image: 'web:v1', volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }] }],
      volumes: [
        { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
        { name: 'settings', configMap: { name: 'settings', optional: true, items: [{ key: 'a', path: 'a' }] } },
        { name: 'keys', secret: { secretName: 'keys', optional: true, defaultMode: 256 } },
        { name: 'host', hostPath: { path: '/var/log', type: 'Directory' } },
        { name: 'facts', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        { name: 'all', projected: { sources: [{ configMap: { name: 'settings', optional: true } }] } },
        { name: 'elastic', scaleIO: { gateway: 'https://io', system: 'io', volumeName: 'web' } },
      ],
    }),
  },
  {
    name: 'security',
    change: podSpec({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 2000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'web',
          image: 'web:v1',
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    }),
  },
  {
    name: 'where to run',
    change: podSpec({
      tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'kubernetes.io/hostname',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { app: 'web' } },
          matchLabelKeys: ['pod-template-hash'],
        },
      ],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              podAffinityTerm: {
                topologyKey: 'kubernetes.io/hostname',
                labelSelector: { matchLabels: { app: 'web' } },
              },
            },
          ],
        },
      },
      priorityClassName: 'system-cluster-critical',
      schedulerName: 'default-scheduler',
    }),
  },
  {
    name: 'the network',
    change: podSpec({
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['192.0.2.1'], options: [{ name: 'ndots', value: '2' }] },
      hostAliases: [{ ip: '192.0.2.2', hostnames: ['db.local'] }],
      hostname: 'web',
      subdomain: 'front',
      enableServiceLinks: false,
      shareProcessNamespace: true,
    }),
  },
  {
    name: 'a grace period below zero, which native takes for one second',
    change: podSpec({ terminationGracePeriodSeconds: -1 }),
  },
  {
    name: 'metadata that is ignored',
    change: { template: { metadata: { name: 'ignored', namespace: 'ignored', creationTimestamp: null } } },
  },
];

/** Opposites of what others say, and what would take the pods away that are compared. */
const NOT_TOGETHER = ['the minimum', 'none at all', 'paused from the start', 'Recreate', 'no deadline'];

/** Each part, and all of them at once: the later ones add to what the earlier ones said. */
export const ACCEPTED: readonly Manifest[] = [
  ...PARTS,
  {
    name: 'everything at once',
    change: PARTS.filter(({ name }) => !NOT_TOGETHER.includes(name)).reduce<Change>(
      (all, { change }) => merged(all, change) as Change,
      {},
    ),
  },
];

export interface ChangeOf extends Manifest {
  readonly rolls: boolean;
}

/** What happens to objects that exist already. */
export const CHANGES: readonly ChangeOf[] = [
  { name: 'another image', change: containers({ name: 'web', image: 'web:v2' }), rolls: true },
  {
    name: 'an annotation of the template',
    change: { template: { metadata: { annotations: { a: 'b' } } } },
    rolls: true,
  },
  { name: 'a default written out', change: podSpec({ dnsPolicy: 'ClusterFirst' }), rolls: false },
  { name: 'the pace', change: rollingUpdate({ maxSurge: 1, maxUnavailable: 0 }), rolls: false },
];
