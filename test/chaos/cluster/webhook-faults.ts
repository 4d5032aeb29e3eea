// Runs with admission: the webhooks as they are installed, but for one namespace alone, and what can befall them. While
// nobody answers, what people want is refused in clear words and changes nothing; it is not lost in silence.

import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import {
  type InjectionTarget,
  resourceOf,
  type WebhookConfiguration,
} from '../../../src/runtime/certificates/injection.ts';
import { isApiError } from '../../../src/runtime/errors.ts';
import type { Manifest } from '../../../src/runtime/object.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault, Faults, Victim } from './faults.ts';
import { Web } from './kinds/my-deployment.ts';
import type { Lane } from './lane.ts';
import { unlessGone } from './persistence.ts';

const LABEL = 'chaos-admission';
const PATIENCE_SECONDS = 2;
const { mutatingWebhooks, validatingWebhooks, namespace, webhookCertificates } = INSTALLATION;
const VALIDATING: InjectionTarget = { kind: 'ValidatingWebhookConfiguration', name: validatingWebhooks };
const MUTATING: InjectionTarget = { kind: 'MutatingWebhookConfiguration', name: mutatingWebhooks };

const secrets: Resource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

const admission: Readonly<Record<string, Fault>> = {
  'webhook down': async (victim) => {
    await victim.lane.killAll();
    await refusedClearly(victim);
    await victim.lane.ensure();
  },
  'webhook slow': async (victim) => {
    for (const { process } of victim.lane.operators) process.signal('STOP');
    await refusedClearly(victim);
    for (const { process } of victim.lane.operators) process.signal('CONT');
  },
  'certificates gone': async ({ lane: { cluster } }) => {
    await unlessGone(cluster.client.delete(secrets, { namespace, name: webhookCertificates }));
  },
  'CA taken away': async ({ lane: { cluster } }) => {
    // What is not there cannot be removed, and it may not be back yet from the time before.
    const body = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: '' }] as const;
    await cluster.client.patch(resourceOf(VALIDATING), VALIDATING, { type: 'json', body });
  },
};

export const WEBHOOK_FAULTS: Faults = { admission };

/** Installs the configurations that we ship, for namespaces with our label only. */
export async function installWebhooks({ cluster }: Lane): Promise<void> {
  const shipped = parseAllDocuments(await readFile('manifests/6-webhooks.yaml', 'utf8')).map((each) => each.toJS());
  for (const target of [MUTATING, VALIDATING]) {
    const { metadata, webhooks } = shipped.find(({ kind }) => kind === target.kind) as Manifest<WebhookConfiguration>;
    const confined = webhooks?.map((webhook) => ({
      ...webhook,
      namespaceSelector: { matchLabels: { [LABEL]: 'on' } },
      timeoutSeconds: PATIENCE_SECONDS,
    }));
    await cluster.client.create(resourceOf(target), { metadata, webhooks: confined ?? [] });
  }
}

/** From now on what happens in this lane's namespace has to pass the webhooks. */
export async function admitByWebhook({ lane, web }: Victim): Promise<void> {
  await lane.cluster.kubectl(['label', 'namespace', lane.namespace, `${LABEL}=on`]);
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'web', image: 'web:v1' }], dnsPolicy: 'Nonsense' };
  const wrong = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
  const manifest = { metadata: web.ref, spec: wrong } as unknown as Manifest<MyDeployment>;
  await eventually(async () => {
    const refusal = await web.client.create(myDeployments, manifest, { dryRun: true }).catch((error: unknown) => error);
    if (!isApiError(refusal, 'Invalid')) throw new Error('what is wrong still passes', { cause: refusal });
  });
}

export async function removeWebhooks({ cluster }: Lane): Promise<void> {
  for (const target of [MUTATING, VALIDATING]) await cluster.client.delete(resourceOf(target), target);
}

/** An object that a user creates meanwhile is refused for that very reason, and does not exist. */
async function refusedClearly({ web }: Victim): Promise<void> {
  const unheard = new Web(web, web.watch, 'unheard');
  const refusal = await unheard.create(1).catch((error: unknown) => error);
  if (!isApiError(refusal) || !refusal.message.includes('failed calling webhook')) {
    throw new Error('the webhook does not answer, and still an object was not refused for that', { cause: refusal });
  }
  await unheard.goneWith();
}
