import { describe, expect, it } from '@jest/globals';
import { KINDS } from '../../src/kinds/kinds.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import type { Controller } from '../../src/runtime/controller/controller.ts';
import { addKind, type Kind } from '../../src/runtime/kind.ts';
import type { Runnable } from '../../src/runtime/manager/runnable.ts';
import type { Operator } from '../../src/runtime/operator/operator.ts';

/** An operator that only notes what is added to it. */
function operatorOf(webhooks: 'on' | 'off') {
  const added: string[] = [];
  const server = {
    defaulter: (path: string) => added.push(path),
    validator: (path: string) => added.push(path),
  };
  const operator = {
    webhookClient: {} as Client,
    add: ({ name }: Runnable) => added.push(name),
    addController: ({ name }: Controller) => added.push(name),
    addControllerPerShard: async (create: () => Promise<Controller>) => added.push((await create()).name),
    webhooks: webhooks === 'on' ? server : undefined,
  };
  return { added, operator: operator as unknown as Operator };
}

/** The kind as it is, with a controller that does nothing. */
function idle(kind: Kind): Kind {
  return { ...kind, controller: async () => ({ name: kind.definition.singular }) as Controller };
}

describe('adding a kind to the operator', () => {
  it.each([
    {
      name: 'MyDeployment',
      adds: [
        'mydeployment',
        '/mutate-kubebuilder-zq-com-v1beta1-mydeployment',
        '/validate-kubebuilder-zq-com-v1beta1-mydeployment',
      ],
    },
    { name: 'ImoocPod', adds: ['imoocpod', '/validate-batch-tutorial-kubebuilder-io-v1alpha1-imoocpod'] },
    {
      name: 'MyDaemonSet',
      adds: [
        'mydaemonset',
        '/mutate-apps-zhongmingmao-io-v1beta1-mydaemonset',
        '/validate-apps-zhongmingmao-io-v1beta1-mydaemonset',
      ],
    },
    { name: 'ModelBox', adds: ['modelbox', '/validate-model-github-com-v1-modelbox'] },
    { name: 'Collector', adds: ['collector', 'storage migration of collectors.collector.ip.my.domain'] },
  ] as const)('$name adds its controller, and its webhooks at their paths', async ({ name, adds }) => {
    const { added, operator } = operatorOf('on');
    await addKind(operator, idle(KINDS[name]));
    expect(added).toEqual(adds);
  });

  it('adds no webhook when webhooks are switched off', async () => {
    const { added, operator } = operatorOf('off');
    await addKind(operator, idle(KINDS.MyDeployment));
    expect(added).toEqual(['mydeployment']);
  });
});

describe('a declaration', () => {
  it.each(Object.entries(KINDS))(
    '%s has a handler for each webhook that it declares, and no other',
    async (_, kind) => {
      expect(Object.keys(await kind.handlers({} as Client, {})).sort()).toEqual([...kind.admission].sort());
    },
  );

  it.each(Object.entries(KINDS))('%s is listed under the name of its kind', (name, { definition }) => {
    expect(definition.resource.kind).toBe(name);
  });
});
