// Allows connections to the ports that the operator serves, and only from the callers that the props name, if they name any.
// The health port is open to all: probes come from the node, whose address a policy cannot name.

import * as kplus from 'cdk8s-plus-27';
import { PORTS } from './names.ts';
import type { InstallationProps, Source } from './props.ts';
import type { Settings } from './settings.ts';

const { k8s } = kplus;

/** The rules for what may come in. */
export function ingressRules(settings: Settings): kplus.k8s.NetworkPolicyIngressRule[] {
  const { webhooks, metrics, webhookSources, metricsSources } = settings;
  const served = [
    { port: PORTS.health, sources: undefined },
    ...(webhooks ? [{ port: PORTS.webhook, sources: webhookSources }] : []),
    ...(metrics ? [{ port: PORTS.metrics, sources: metricsSources }] : []),
  ];
  const open = served.filter(({ sources }) => sources === undefined);
  const confined = served.filter(({ sources }) => sources !== undefined);
  return [
    { ports: open.map(({ port }) => portOf(port)) },
    ...confined.map(({ port, sources = [] }) => ({ ports: [portOf(port)], from: sources.map(peerOf) })),
  ];
}

/** What is wrong with the callers of the props. */
export function callerProblems(props: InstallationProps): string[] {
  const { webhooks = true, webhookClientCa, webhookSources, metricsSources } = props;
  return [
    ...(webhookClientCa === undefined || webhooks ? [] : ['webhookClientCa needs webhooks']),
    ...sourceProblems('webhookSources', webhookSources),
    ...sourceProblems('metricsSources', metricsSources),
  ];
}

function sourceProblems(prop: string, sources: readonly Source[] | undefined): string[] {
  if (sources?.length === 0) return [`${prop} must name at least one, got none; leave it out for everywhere`];
  const ranges = (sources ?? []).flatMap((source) => ('cidr' in source ? [source.cidr] : []));
  const wrong = ranges.filter((range) => !isRange(range));
  return wrong.map((range) => `${prop}: "${range}" is no range of addresses like 192.0.2.0/24 or 2001:db8::/32`);
}

/** Checks only the form: the API server validates the rest. */
function isRange(text: string): boolean {
  const [, ipv4] = /^\d{1,3}(?:\.\d{1,3}){3}\/(\d{1,2})$/.exec(text) ?? [];
  const [, ipv6] = /^[\da-f]*:[\da-f:.]*\/(\d{1,3})$/i.exec(text) ?? [];
  return ipv4 === undefined ? Number(ipv6) <= 128 : Number(ipv4) <= 32;
}

function portOf(port: number): kplus.k8s.NetworkPolicyPort {
  return { port: k8s.IntOrString.fromNumber(port), protocol: 'TCP' };
}

function peerOf(source: Source): kplus.k8s.NetworkPolicyPeer {
  if ('cidr' in source) return { ipBlock: { cidr: source.cidr } };
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': source.namespace } } };
}
