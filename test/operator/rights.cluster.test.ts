// Least privilege, checked in both directions: the operator is installed from the shipped manifests, put to work until it
// has done everything it ever does, and then the API server's own audit log is held against the roles. A right that was
// never used fails the test, and so does a request that was refused.

import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NAME_LABEL } from '../../src/kinds/my-daemon-set/names.ts';
import { ROLLBACK_TO } from '../../src/kinds/my-deployment/plan/rollback.ts';
import { installOperator, type LocalOperator, startOperator } from '../../src/local/operator.ts';
import { INSTALLATION, ROLES } from '../../src/operator/names.ts';
import { RETRY } from '../../src/policy/requests.ts';
import { freePorts } from '../../src/testing/index.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { useOwnCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const { namespace: HOME, serviceAccount, webhookCertificates } = INSTALLATION;
const OPERATOR = `system:serviceaccount:${HOME}:${serviceAccount}`;

let operator: LocalOperator | undefined;
afterAll(() => operator?.stop());
const cluster = await useOwnCluster({
  name: 'rights',
  audit: true,
  flags: {
    'kube-apiserver': [
      // Whoever sets blockOwnerDeletion must then have the right to set the owner's finalizers.
      '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
      // A server that cannot stream lists has to be asked for them.
      '--feature-gates=WatchList=false',
    ],
  },
});

/** What no audit log can show, and why it is granted all the same. */
const UNLOGGED: Readonly<Record<string, string>> = {
  'get pods': 'only after the answer to a create was lost, which no test can ask of this API server',
  'delete deployments.apps': 'asked for by admission when a Deployment that lost its owner is taken back',
  'update mydeployments.kubebuilder.zq.com/finalizers': 'asked for by admission, for references that block deletion',
  'update imoocpods.batch.tutorial.kubebuilder.io/finalizers': 'the same',
  'update mydaemonsets.apps.zhongmingmao.io/finalizers': 'the same',
  'update modelboxes.model.github.com/finalizers': 'the same',
  'update rolloutpolicies.kubebuilder.zq.com/finalizers': 'the same',
  'get jobs.batch': 'only after the answer to a create was lost',
};

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource: string; readonly subresource?: string; readonly apiGroup?: string };
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
}

/** `verb resource.group/subresource`, as people write it. */
function rightTo(verb: string, group: string, resource: string): string {
  const [plural, subresource] = resource.split('/');
  return `${verb} ${plural}${group && `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
}

/** Everything that the operator's account may do according to the roles that are installed. */
async function granted(): Promise<string[]> {
  const { manager, leaderElection, certificates, metricsAuth } = ROLES;
  const wanted = [
    ...[manager, certificates, metricsAuth].map((name) => ['get', 'clusterrole', name]),
    ...[leaderElection, certificates].map((name) => ['get', 'role', name, '-n', HOME]),
  ];
  const roles = await Promise.all(wanted.map((args) => kubectl(...args, '-o', 'json')));
  const rules = roles.flatMap((role) => (JSON.parse(role) as { rules: Rule[] }).rules);
  const rights = rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((each) => verbs.map((verb) => rightTo(verb, group, each)))),
  );
  return [...new Set(rights)].sort();
}

/** Every request of the operator that the API server has answered. */
function requests(): AuditEvent[] {
  const lines = readFileSync(join(cluster.cluster.home, 'logs', 'audit.log'), 'utf8')
    .split('\n')
    .slice(0, -1);
  return lines
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ user, objectRef }) => user.username === OPERATOR && objectRef !== undefined);
}

function used(): string[] {
  const rights = requests().map(({ verb, objectRef: { apiGroup = '', resource, subresource } = { resource: '' } }) =>
    rightTo(verb, apiGroup, subresource === undefined ? resource : `${resource}/${subresource}`),
  );
  return [...new Set(rights)].sort();
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cluster.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const patch = (what: string, body: object, ...more: readonly string[]): Promise<string> =>
  kubectl('patch', what, '--type=merge', '-p', JSON.stringify(body), ...more);

/** Reads the metrics over TLS with the rights of an account of its own; resolves with the HTTP status. */
async function scrape(port: number): Promise<number> {
  await kubectl('create', 'serviceaccount', 'prometheus');
  await kubectl(
    'create',
    'clusterrolebinding',
    'scrape',
    `--clusterrole=${ROLES.metricsReader}`,
    '--serviceaccount=default:prometheus',
  );
  const headers = { authorization: `Bearer ${await cluster.token('default', 'prometheus')}` };
  const ca = await kubectl('get', 'secret', webhookCertificates, '-n', HOME, '-o', 'jsonpath={.data.ca\\.crt}');
  const options = {
    port,
    headers,
    ca: Buffer.from(ca, 'base64'),
    servername: `${INSTALLATION.metricsService}.${HOME}.svc`,
  };
  return new Promise((resolve, reject) => {
    request({ ...options, host: '127.0.0.1', path: '/metrics' }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** Takes its owner away from a child, as an orphaning deletion would; it is taken back after a look at the owner. */
const orphan = (what: string): Promise<string> => patch(what, { metadata: { ownerReferences: null } });

async function firstPod(selector: string): Promise<string> {
  const [pod = ''] = (await kubectl('get', 'pod', '-l', selector, '-o', 'name')).split('\n');
  if (pod === '') throw new Error(`there is no pod with ${selector}`);
  return pod;
}

/** The names of a MyDeployment's revisions. */
async function revisionsOf(name: string): Promise<string[]> {
  const all = (await kubectl('get', 'controllerrevision', '-o', 'name')).split('\n');
  return all.map((each) => each.replace(/^.*\//, '')).filter((each) => each.startsWith(`${name}-`));
}

/** Puts something else where the revision of a MyDeployment would have to be, and lets it be created anew. */
async function occupyRevision(name: string): Promise<void> {
  const manifest = JSON.parse(await kubectl('get', 'md', name, '-o', 'json'));
  const [taken = ''] = await revisionsOf(name);
  await kubectl('delete', 'md', name, '--wait', '--cascade=foreground');
  await cluster.client.create(controllerRevisions, {
    metadata: { name: taken, namespace: 'default' },
    revision: 1,
    data: { somebody: 'else' },
  } as never);
  const { labels } = manifest.metadata;
  const { apiVersion, kind, spec } = manifest;
  const input = JSON.stringify({ apiVersion, kind, metadata: { name, labels }, spec });
  await cluster.kubectl(['apply', '-f', '-'], { input });
  await kubectl('wait', `md/${name}`, '--for=condition=Available', '--timeout=60s');
}

const image = (name: string): object => ({
  spec: { revisionHistoryLimit: 0, template: { spec: { containers: [{ name: 'nginx', image: name }] } } },
});

/**
 * A Job decides about a rollout, and is deleted with the next attempt. What people ask is answered and removed. Budgets are
 * looked at, because drains could need surplus pods.
 */
async function rollOutThroughGate(): Promise<void> {
  await kubectl('create', 'cronjob', 'smoke', '--image=smoke:1', '--schedule=0 0 1 1 *');
  await kubectl('apply', '-f', 'samples/rolloutpolicy.yaml');
  const gates = [{ name: 'smoke', job: { fromCronJob: 'smoke' } }];
  await patch('rop/rolloutpolicy-sample', {
    spec: { steps: [{ replicas: 1, gates: ['smoke'] }], gates, pods: { surgeOnDrain: true } },
  });
  const jobs = () => kubectl('get', 'job', '-o', 'name');
  await patch('md/mydeployment-sample', image('nginx:1.29'));
  const [first = ''] = await eventually(async () => {
    const names = (await jobs()).trim().split('\n');
    expect(names[0]).toMatch(/^job.batch\/rolloutpolicy-sample-smoke/);
    return names;
  });
  await patch('md/mydeployment-sample', image('nginx:1.30'));
  await eventually(async () => expect(await jobs()).not.toContain(first));
  await kubectl('annotate', 'rop/rolloutpolicy-sample', `${RETRY}={"number":1}`);
  await eventually(async () => expect(await kubectl('get', 'rop', '-o', 'yaml')).not.toContain(RETRY));
}

/** Pods that are made under the policy get more CPU afterwards, while they run. */
async function rollOutInPlace(): Promise<void> {
  const inPlace = { mode: 'IfPossible', gracePeriod: '0s' };
  await patch('rop/rolloutpolicy-sample', { spec: { steps: null, gates: null, pods: { inPlace } } });
  const withCpu = (cpu: string): object => {
    const containers = [{ name: 'nginx', image: 'nginx:1.30', resources: { requests: { cpu } } }];
    return { spec: { replicas: 4, template: { spec: { containers } } } }; // a quarter of 4 may be unavailable
  };
  for (const cpu of ['100m', '200m']) {
    await patch('md/mydeployment-sample', withCpu(cpu));
    for (const count of ['updatedReplicas', 'availableReplicas']) {
      await kubectl('wait', 'md/mydeployment-sample', `--for=jsonpath={.status.${count}}=4`, '--timeout=60s');
    }
  }
}

/** Everything that an operator ever has to do. */
async function work(): Promise<void> {
  await kubectl('apply', '-f', 'samples/');
  await kubectl('delete', '-f', 'samples/rolloutpolicy.yaml'); // until the rest is done: it would wait for a promotion
  await kubectl('wait', 'md/mydeployment-sample', '--for=condition=Available', '--timeout=60s');
  await kubectl('wait', 'modelbox/modelbox-sample', '--for=condition=Available', '--timeout=60s');
  for (const selector of ['app=mydeployment-sample', 'app=imoocpod-sample', `${NAME_LABEL}=mydaemonset-sample`]) {
    await eventually(async () => orphan(await firstPod(selector)));
  }
  for (const what of ['deployment/modelbox-sample', 'service/modelbox-sample']) await orphan(what);
  await patch('modelbox/modelbox-sample', { spec: { serviceType: 'Headless', ports: [{ port: 80 }] } });
  await patch('md/mydeployment-sample', image('nginx:1.28'));
  await eventually(async () => expect(await revisionsOf('mydeployment-sample')).toHaveLength(1)); // the old one is gone
  await kubectl('annotate', 'md/mydeployment-sample', `${ROLLBACK_TO}=1`);
  await eventually(async () => expect(await kubectl('get', 'md', '-o', 'yaml')).not.toContain(ROLLBACK_TO));
  await occupyRevision('mydeployment-sample');
  await rollOutThroughGate();
  await rollOutInPlace();
  // Certificates that nobody can use are replaced.
  await patch(`secret/${webhookCertificates}`, { data: { 'tls.crt': '' } }, '-n', HOME);
}

describe('the rights of the operator', () => {
  it('are all used, and are enough', async () => {
    await installOperator(cluster.cluster);
    const [metrics] = (await freePorts(1)) as [number];
    operator = await startOperator(cluster.cluster, {
      flags: ['--leader-elect', `--metrics-bind-address=:${metrics}`],
    });
    expect(await scrape(metrics)).toBe(200);
    await work();
    const needed = (await granted()).filter((right) => !(right in UNLOGGED));
    await eventually(() => {
      const done = used();
      expect(needed.filter((right) => !done.includes(right))).toEqual([]);
    });
    const refused = requests().filter(({ responseStatus }) => responseStatus?.code === 403);
    expect(refused.map(({ verb, requestURI, responseStatus }) => [verb, requestURI, responseStatus])).toEqual([]);
  });
});
