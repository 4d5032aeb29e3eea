// What the API server itself refuses about a ModelBox, with no operator running: each rule with the field it blames.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { modelBoxes } from '../../../src/kinds/model-box/names.ts';
import type { ModelBox } from '../../../src/kinds/model-box/types.gen.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import { useSharedCluster } from '../../support/cluster.ts';
import { installCrds } from '../../support/crds.ts';

const cluster = await useSharedCluster();
let namespace: string;

beforeAll(async () => {
  namespace = await cluster.namespace();
  await installCrds(cluster);
});

const good = { image: 'web:1', ports: [{ port: 80 }] };

function dryRun(change: object): Promise<ModelBox> {
  const manifest = { metadata: { namespace, name: 'web' }, spec: { ...good, ...change } } as unknown as ModelBox;
  return cluster.client.create(modelBoxes, manifest, { dryRun: true, fieldValidation: 'Strict' });
}

const port = (fields: object): object => ({ ports: [{ port: 80, ...fields }] });
const twoPorts = (one: object, other: object): object => ({
  ports: [
    { port: 80, ...one },
    { port: 81, ...other },
  ],
});
const limits = { limits: { cpu: '1' } };

describe('a ModelBox is refused', () => {
  it.each<{ name: string; change: object; field: string; words: string }>([
    { name: 'no image', change: { image: null }, field: 'spec.image', words: 'Required value' },
    ...['', ' web', 'web 2'].map((image) => ({
      name: `image "${image}"`,
      change: { image },
      field: 'spec.image',
      words: `Invalid value: "${image}": spec.image in body should match`,
    })),
    { name: 'no ports', change: { ports: null }, field: 'spec.ports', words: 'Required value' },
    { name: 'an empty list of ports', change: { ports: [] }, field: 'spec.ports', words: 'at least 1 items' },
    {
      name: 'negative replicas',
      change: { replicas: -1 },
      field: 'spec.replicas',
      words: 'greater than or equal to 0',
    },
    {
      name: 'negative seconds',
      change: { minReadySeconds: -1 },
      field: 'spec.minReadySeconds',
      words: 'or equal to 0',
    },
    ...['0%', '101%', '30', '-5%', '3.5%', 'half', '030%'].map((rollingUpdate) => ({
      name: `a rolling update of ${rollingUpdate}`,
      change: { rollingUpdate },
      field: 'spec.rollingUpdate',
      words: `${rollingUpdate}: must be a percentage above 0% and up to 100%, such as 30%`,
    })),
    { name: 'an unknown size', change: { size: 'huge' }, field: 'spec.size', words: 'Unsupported value: "huge"' },
    {
      name: 'a size and resources',
      change: { size: 'small', resources: limits },
      field: 'spec.resources',
      words: "may not be specified when `size` is 'small', which sets them; say size custom to choose your own",
    },
    {
      name: 'a custom size without resources',
      change: { size: 'custom' },
      field: 'spec.resources',
      words: "requests or limits must be specified when `size` is 'custom'",
    },
    {
      name: 'a custom size with empty resources',
      change: { size: 'custom', resources: {} },
      field: 'spec.resources',
      words: "requests or limits must be specified when `size` is 'custom'",
    },
    {
      name: 'an unknown type',
      change: { serviceType: 'LoadBalancer' },
      field: 'spec.serviceType',
      words: 'Unsupported value',
    },
    ...['ClusterIP', 'Headless'].map((serviceType) => ({
      name: `a node port with ${serviceType}`,
      change: { serviceType, ...port({ nodePort: 30_001 }) },
      field: 'spec.ports',
      words: `nodePort may not be specified when \`serviceType\` is '${serviceType}'`,
    })),
    { name: 'port 0', change: port({ port: 0 }), field: 'spec.ports[0].port', words: 'greater than or equal to 1' },
    {
      name: 'port 65536',
      change: port({ port: 65_536 }),
      field: 'spec.ports[0].port',
      words: 'less than or equal to 65535',
    },
    {
      name: 'node port 65536',
      change: port({ nodePort: 65_536 }),
      field: 'spec.ports[0].nodePort',
      words: 'or equal to 65535',
    },
    {
      name: 'a protocol',
      change: port({ protocol: 'HTTP' }),
      field: 'spec.ports[0].protocol',
      words: 'Unsupported value',
    },
    { name: 'a port name', change: port({ name: 'Web_1' }), field: 'spec.ports[0].name', words: 'should match' },
    ...[0, 65_536, '80', 'Web', '-web', 'a--b'].map((targetPort) => ({
      name: `target port ${JSON.stringify(targetPort)}`,
      change: port({ targetPort }),
      field: 'spec.ports[0].targetPort',
      words: 'must be a number from 1 to 65535, or the name of a container port',
    })),
    {
      name: 'the same port twice',
      change: { ports: [{ port: 80 }, { port: 80 }] },
      field: 'spec.ports[1]',
      words: 'Duplicate value',
    },
    {
      name: 'ports without names',
      change: twoPorts({ name: 'a' }, {}),
      field: 'spec.ports',
      words: 'every port needs a name when there is more than one',
    },
    {
      name: 'ports of one name',
      change: twoPorts({ name: 'a' }, { name: 'a' }),
      field: 'spec.ports',
      words: 'names must be unique: ["a", "a"]',
    },
    {
      name: 'ports of one node port',
      change: twoPorts({ name: 'a', nodePort: 30_001 }, { name: 'b', nodePort: 30_001 }),
      field: 'spec.ports',
      words: 'nodePorts must be unique: [30001, 30001]',
    },
    {
      name: 'a container without a name',
      change: { containers: [{ image: 'x' }] },
      field: 'spec.containers[0].name',
      words: 'Required value',
    },
    {
      name: 'two containers of one name',
      change: { initContainers: [{ name: 'a' }, { name: 'a' }] },
      field: 'spec.initContainers[1]',
      words: 'Duplicate value',
    },
    {
      name: 'a variable without a name',
      change: { envs: [{ value: 'x' }] },
      field: 'spec.envs[0].name',
      words: 'Required value',
    },
  ])('$name: $field', async ({ change, field, words }) => {
    const refusal = await dryRun(change).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    const { reason, causes } = refusal as ApiError;
    expect(reason).toBe('Invalid');
    const blamed = causes.filter((cause) => cause.field === field).map((cause) => cause.message);
    expect(blamed).toContainEqual(expect.stringContaining(words));
  });

  it('when a field is mistyped', async () => {
    await expect(dryRun({ replica: 3 })).rejects.toThrow('unknown field "spec.replica"');
  });
});

describe('a ModelBox may say', () => {
  it.each<{ name: string; change: object }>([
    { name: 'as little as possible', change: {} },
    { name: 'no replicas', change: { replicas: 0 } },
    { name: 'all at once', change: { rollingUpdate: '100%' } },
    { name: 'one at a time', change: { rollingUpdate: '1%' } },
    { name: 'its own resources, with and without saying so', change: { resources: limits } },
    { name: 'a custom size', change: { size: 'custom', resources: limits } },
    { name: 'a node port without a type', change: port({ nodePort: 30_001 }) },
    {
      name: 'one number for two protocols',
      change: {
        ports: [
          { port: 53, name: 'a' },
          { port: 53, protocol: 'UDP', name: 'b' },
        ],
      },
    },
    {
      name: 'one node port for two protocols',
      change: {
        ports: [
          { port: 53, name: 'a', nodePort: 30_053 },
          { port: 53, protocol: 'UDP', name: 'b', nodePort: 30_053 },
        ],
      },
    },
    { name: 'the name of a target', change: port({ targetPort: 'http-2' }) },
  ])('$name', async ({ change }) => {
    await expect(dryRun(change)).resolves.toMatchObject({ kind: 'ModelBox' });
  });

  it('nothing of what has a default', async () => {
    const { spec } = await dryRun({});
    expect(spec).toEqual({
      image: 'web:1',
      ports: [{ port: 80, protocol: 'TCP' }],
      rollingUpdate: '25%',
      minReadySeconds: 3,
      defaultProbes: true,
    });
  });
});
