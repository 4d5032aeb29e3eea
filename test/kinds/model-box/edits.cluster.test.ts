// Another client makes fifty edits of a ModelBox's Deployment and Service, chosen by a seed, while its spec changes, too.
// However they meet: in the end both are as if they had been made from the last spec, and then nothing is written, by
// the API server's own account.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Deployment, Service } from '../../../src/kinds/model-box/children.ts';
import { INSTALLATION } from '../../../src/operator/names.ts';
import type { Patch } from '../../../src/runtime/client/options.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import { AuditLog } from '../../bench/audit-log.ts';
import { useStage } from '../../e2e/stage.ts';
import { eventually } from '../../support/eventually.ts';
import { randomFrom } from '../../support/random.ts';
import { Box, type ChildKind } from './box.ts';

const EDITS = 50;
const SEEDS = [20_261_116, 1];
const OURS = { name: 'A', value: 'ours' };
const OPERATOR = `system:serviceaccount:${INSTALLATION.namespace}:${INSTALLATION.serviceAccount}`;

const stage = await useStage({ name: 'edits', audit: true, operator: { flags: ['--kinds=modelbox'] } });
const audit = new AuditLog(join(stage.cluster.home, 'logs', 'audit.log'));

/** What the operator asks for while something happens; nothing if it writes nothing. */
async function writesDuring(happening: () => Promise<unknown>): Promise<object> {
  const mark = await audit.mark();
  await happening();
  const { writes, byVerb } = await audit.since(mark, [OPERATOR]);
  return writes === 0 ? {} : byVerb;
}

type Pick = <T>(...choices: readonly T[]) => T;
type Edit = { readonly kind: ChildKind; readonly patch: Patch | 'delete' };

const merge = (body: object): Patch => ({ type: 'merge', body });
const web = (fields: object): Patch => ({
  type: 'strategic',
  body: { spec: { template: { spec: { containers: [{ name: 'web', ...fields }] } } } },
});

/** What another client might do. What it adds of its own is called "foreign". */
function anyEdit(pick: Pick): Edit {
  const edits: readonly Edit[] = [
    { kind: 'Deployment', patch: 'delete' },
    { kind: 'Deployment', patch: web({ image: pick('evil:1', 'evil:2') }) },
    { kind: 'Deployment', patch: web({ env: [{ name: 'A', value: 'theirs' }] }) },
    { kind: 'Deployment', patch: web({ readinessProbe: { exec: { command: ['true'] }, tcpSocket: null } }) },
    { kind: 'Deployment', patch: web({ name: 'foreign', image: 'foreign:1' }) },
    { kind: 'Deployment', patch: merge({ spec: { replicas: pick(0, 1, 7) } }) },
    { kind: 'Deployment', patch: merge({ spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }) },
    { kind: 'Deployment', patch: merge({ metadata: { ownerReferences: null } }) },
    { kind: 'Deployment', patch: merge({ metadata: { annotations: null } }) },
    { kind: 'Service', patch: 'delete' },
    { kind: 'Service', patch: merge({ spec: { type: pick('LoadBalancer', 'NodePort') } }) },
    { kind: 'Service', patch: merge({ spec: { selector: { modelbox: 'other', foreign: 'yes' } } }) },
    { kind: 'Service', patch: merge({ spec: { ports: [{ port: pick(80, 81, 99) }] } }) },
    { kind: 'Service', patch: merge({ metadata: { labels: { modelbox: 'other' } } }) },
  ];
  return pick(...edits);
}

function anyChange(pick: Pick): object {
  return pick<object>(
    { image: pick('web:1', 'web:2', 'web:3') },
    { replicas: pick(1, 2, 3) },
    { envs: pick([OURS], [OURS, { name: 'B', value: '' }], [{ name: 'B', value: 'b' }, OURS]) },
    { size: pick('small', 'medium', null) },
    { rollingUpdate: pick('10%', '100%') },
    { serviceType: pick('ClusterIP', 'NodePort', 'Headless') },
    { ports: pick([{ port: 80 }], [{ port: 80, targetPort: 'http' }], [{ port: 81, targetPort: 80 }]) },
    { containers: pick([], [{ name: 'side', image: 'side:1' }]) },
  );
}

/** Makes an edit; what is not there just now, or would be invalid, cannot be edited. */
async function tryTo(edit: Promise<unknown>): Promise<void> {
  await edit.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

/** What a person would compare: everything but what Kubernetes gave it, and what others had added. */
function essenceOf(deployment: Deployment, { spec }: Service): object {
  const pod = deployment.spec.template.spec;
  return {
    deployment: {
      ...deployment.spec,
      template: { ...deployment.spec.template, spec: { ...pod, containers: pod?.containers.filter(isOurs) } },
    },
    service: {
      type: spec.type,
      selector: spec.selector,
      headless: spec.clusterIP === 'None',
      ports: spec.ports?.map(({ nodePort: _, ...port }) => port),
    },
  };
}

const isOurs = ({ name }: { readonly name: string }): boolean => name !== 'foreign';

/** Plays the life of one ModelBox; returns it when it is Ready, however it came there. */
async function live(seed: number): Promise<Box> {
  const random = randomFrom(seed);
  const pick: Pick = (...choices) => choices[Math.floor(random() * choices.length)] as (typeof choices)[number];
  const box = await Box.create(stage, { envs: [OURS] });
  for (let edit = 0; edit < EDITS; edit++) {
    const { kind, patch } = anyEdit(pick);
    await tryTo(patch === 'delete' ? box.remove(kind) : box.edit(kind, patch));
    if (edit % 3 === 0) await box.change(anyChange(pick));
    await delay(random() * 40);
  }
  await box.ready();
  return box;
}

it(`survives ${EDITS} edits by another client, and is then left alone`, async () => {
  let boxes: readonly Box[] = [];
  const asked = await writesDuring(async () => {
    boxes = await Promise.all(SEEDS.map(live));
  });
  expect(asked).toMatchObject({ 'patch deployments': expect.any(Number), 'patch services': expect.any(Number) });
  for (const box of boxes) {
    const pristine = await Box.create(stage, (await box.get()).spec);
    await pristine.ready();
    const expected = essenceOf(await pristine.deployment(), await pristine.service());
    expect(essenceOf(await box.deployment(), await box.service())).toEqual(expected);
  }

  // Statuses may still have counts to tell, but then there is nothing more to say, however long one waits.
  await eventually(async () => expect(await writesDuring(() => delay(2000))).toEqual({}));
  // A new one, with no memory of what was applied, finds nothing to do either.
  const restart = async (): Promise<void> => {
    await stage.operator.stop();
    await stage.startOperator();
    await delay(2000);
  };
  expect(await writesDuring(restart)).toEqual({});
});
