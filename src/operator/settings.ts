// What the props of an installation come to: defaults for what was not said, and an error for what cannot be installed.

import type { k8s } from 'cdk8s-plus-27';
import type { KindName } from '../kinds/kind-name.ts';
import { KINDS } from '../kinds/kinds.ts';
import { parseServers } from '../kinds/rollout-policy/prometheus/flag.ts';
import { BAD_LABEL, isDnsLabel } from '../runtime/dns-label.ts';
import { BAD_IMAGE, isImage } from '../runtime/image.ts';
import type { InstalledKind } from '../runtime/installed-kind.ts';
import { BAD_KEY, BAD_LABEL_VALUE, isKey, isLabelValue } from '../runtime/label-syntax.ts';
import { BAD_QUANTITY, isAmount } from '../runtime/quantity.ts';
import { MOST_SHARDS } from '../runtime/shards/range.ts';
import { type Names, namesOf, OPERATOR_NAME, POD_ANNOTATIONS } from './names.ts';
import { callerProblems } from './network-policy.ts';
import { CERTIFICATES, type InstallationProps, type OperatorProps, type Resources, type Source } from './props.ts';

/** What stays undefined when nothing was said. */
type Open = 'namespaces' | 'webhookClientCa' | 'webhookSources' | 'metricsSources' | 'affinity';

/** Everything decided. */
export interface Settings extends Required<Omit<InstallationProps, 'name' | 'includeCrds' | Open>> {
  readonly names: Names;
  readonly kinds: readonly InstalledKind[];
  /** Undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  readonly webhookClientCa: string | undefined;
  /** Undefined for everywhere. */
  readonly webhookSources: readonly Source[] | undefined;
  readonly metricsSources: readonly Source[] | undefined;
  /** Undefined for apart from each other. */
  readonly affinity: k8s.Affinity | undefined;
  /** Whether metrics are served: without any certificate they are not. */
  readonly metrics: boolean;
}

/** This project's operator as an installation like any other; throws for kinds that it does not have. */
export function ownInstallation(path: string, props: OperatorProps): InstallationProps {
  const { kinds = Object.keys(KINDS) as KindName[], defaultSpread = true, prometheus = {}, ...rest } = props;
  const unknown = kinds.filter((name) => KINDS[name] === undefined);
  if (unknown.length > 0) {
    throw new Error(`${path}: there is no kind ${unknown.join(', ')}, only ${Object.keys(KINDS).join(', ')}`);
  }
  const servers = Object.entries(prometheus);
  const badServer = refusalOf(servers);
  if (badServer !== undefined) throw new Error(`${path}: ${badServer}`);
  return {
    ...rest,
    name: OPERATOR_NAME,
    kinds: kinds.map((name) => KINDS[name]),
    flags: servers.map(([name, url]) => `--prometheus=${name}=${url}`),
    ...(defaultSpread ? {} : { env: { DEFAULT_SPREAD: 'false' } }),
  };
}

/** Fills in what was not decided; throws, with the path of the construct, for what cannot be installed. */
export function settingsOf(path: string, props: InstallationProps): Settings {
  const { replicas = 2, shards = 1, kinds, webhooks = true, certificates = 'self-managed', namespaces } = props;
  const names = namesOf(props.name);
  const refuse = (problem: string): never => {
    throw new Error(`${path}: ${problem}`);
  };
  if (kinds.length === 0) refuse('kinds must name at least one kind, got none');
  if (!CERTIFICATES.includes(certificates)) {
    refuse(`certificates must be ${CERTIFICATES.join(' or ')}, got ${JSON.stringify(certificates)}`);
  }
  const metrics = webhooks || certificates === 'cert-manager';
  if (props.serviceMonitor && !metrics) refuse('serviceMonitor needs webhooks, or certificates of cert-manager');
  if (namespaces?.length === 0) refuse('namespaces must name at least one, got none; leave it out for all');
  for (const problem of countProblems(replicas, shards)) refuse(problem);
  for (const problem of [...valueProblems(props, names), ...callerProblems(props)]) refuse(problem);
  return {
    image: props.image,
    replicas,
    shards,
    names,
    kinds,
    namespaces,
    namespace: props.namespace ?? names.namespace,
    resources: props.resources ?? {
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '1', memory: '512Mi' },
    },
    webhooks,
    certificates,
    webhookClientCa: props.webhookClientCa,
    webhookSources: props.webhookSources,
    metricsSources: props.metricsSources,
    metrics,
    env: props.env ?? {},
    serviceMonitor: props.serviceMonitor ?? false,
    flags: props.flags ?? [],
    priorityClass: props.priorityClass ?? 'system-cluster-critical',
    ...podSettingsOf(props),
  };
}

function countProblems(replicas: number, shards: number): string[] {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;
  return [
    ...(isCount(replicas) ? [] : [`replicas must be a whole number from 1, got ${replicas}`]),
    ...(isCount(shards) && shards <= MOST_SHARDS
      ? []
      : [`shards must be a whole number from 1 to ${MOST_SHARDS}, got ${shards}`]),
  ];
}

/** What the operator's pods have besides, and where they run. */
function podSettingsOf(
  props: InstallationProps,
): Pick<Settings, 'nodeSelector' | 'tolerations' | 'affinity' | 'podAnnotations' | 'podLabels'> {
  const { nodeSelector = {}, tolerations = [], affinity, podAnnotations = {}, podLabels = {} } = props;
  return { nodeSelector, tolerations, affinity, podAnnotations, podLabels };
}

/** What the API server or a node would refuse later, each with its prop and its value. */
function valueProblems(
  { name, image, namespace, namespaces = [], resources, ...props }: InstallationProps,
  { podLabels }: Names,
): string[] {
  const badNames = (prop: string, names: readonly string[]): string[] =>
    names.filter((name) => !isDnsLabel(name)).map((name) => `${prop} ${JSON.stringify(name)} is ${BAD_LABEL}`);
  const amounts = Object.entries(resources ?? {}).flatMap(([list, entries]: [string, Resources['limits']]) =>
    Object.entries(entries).map(([name, value]) => ({ prop: `resources.${list}.${name}`, value })),
  );
  const badAmounts = amounts.filter(({ value }) => !isAmount(value));
  return [
    ...(isImage(image) ? [] : [`image ${JSON.stringify(image)} is ${BAD_IMAGE}`]),
    ...badNames('name', [name]),
    ...badNames('namespace', namespace === undefined ? [] : [namespace]),
    ...badNames('namespaces:', namespaces),
    ...takenBy(podLabels, props.podLabels).map((label) => `podLabels: the operator's pods are selected by ${label}`),
    ...takenBy(POD_ANNOTATIONS, props.podAnnotations).map((key) => `podAnnotations: the operator has ${key} itself`),
    ...badLabels('nodeSelector', props.nodeSelector),
    ...badLabels('podLabels', props.podLabels),
    ...badKeys('podAnnotations', props.podAnnotations),
    ...badAmounts.map(({ prop, value }) => `${prop} ${JSON.stringify(value)} is ${BAD_QUANTITY}`),
  ];
}

/** What the operator would have against these servers at its start. */
function refusalOf(servers: readonly (readonly [name: string, url: string])[]): string | undefined {
  const odd = servers.find(([name, url]) => `${name}${url}`.includes(','));
  if (odd !== undefined) return `prometheus: no name or URL has a comma, got ${JSON.stringify(odd.join('='))}`;
  try {
    parseServers(servers.map((server) => server.join('=')));
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^--/, '');
  }
}

function badLabels(prop: string, labels: Readonly<Record<string, string>> = {}): string[] {
  const badValues = Object.entries(labels).filter(([, value]) => !isLabelValue(value));
  return [
    ...badKeys(prop, labels),
    ...badValues.map(([key, value]) => `${prop}: ${key}: ${JSON.stringify(value)} is ${BAD_LABEL_VALUE}`),
  ];
}

function badKeys(prop: string, entries: object = {}): string[] {
  const bad = Object.keys(entries).filter((key) => !isKey(key));
  return bad.map((key) => `${prop}: ${JSON.stringify(key)} is ${BAD_KEY}`);
}

/** The keys that a person may not set, since the operator's pods have them. */
function takenBy(own: object, given: object = {}): string[] {
  return Object.keys(given).filter((key) => key in own);
}
