import { describe, expect, it } from '@jest/globals';
import { imoocPod } from '../../../src/kinds/imooc-pod/schema.ts';
import { myDeployment } from '../../../src/kinds/my-deployment/schema.ts';
import type { Schema } from '../../../src/runtime/custom-resource.ts';
import { nodesOf } from '../../support/schema-paths.ts';
import { inRounds, transitionsOf } from './fields.ts';
import { podSamples } from './pod-samples.ts';
import { smallKinds } from './small-kinds.ts';

const kinds = [{ kind: myDeployment, samples: podSamples }, ...smallKinds];

describe('every field of the schema', () => {
  it.each(kinds)('of $kind.resource.kind is given good and bad values', ({ kind, samples }) => {
    const fields = transitionsOf(kind.spec, samples, 1);
    expect([...fields.keys()]).toEqual([...nodesOf(kind.spec, 'spec')].map(([path]) => path));
    const lacking = (wanted: string): string[] =>
      [...fields].flatMap(([path, all]) => (all.some(({ intent }) => intent === wanted) ? [] : [path]));
    expect({ good: lacking('good'), bad: lacking('bad') }).toEqual({ good: [], bad: [] });
  });

  it('is told when nobody knows a value for it', () => {
    const spec = imoocPodWith('budget', { type: 'number' });
    expect(() => transitionsOf(spec, podSamples, 1)).toThrow('no value is known for spec.budget: {"type":"number"}');
  });

  it('is noticed when it is new', () => {
    const fields = transitionsOf(imoocPodWith('nickname', { type: 'string', maxLength: 3 }), podSamples, 1);
    expect([...fields.keys()]).toEqual(['spec', 'spec.replicas', 'spec.nickname']);
    expect(fields.get('spec.nickname')?.map(({ what, intent }) => `${intent}: ${what}`)).toContain('bad: too long');
  });

  it('has the value where the schema has the field, among whatever else is required', () => {
    const fields = transitionsOf(myDeployment.spec, podSamples, 1);
    const [sample] = fields.get('spec.template.spec.containers[].ports[].protocol') ?? [];
    expect(sample?.spec).toMatchObject({
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'web:v1', ports: [{ containerPort: 1, protocol: 'TCP' }] }] },
      },
    });
    const limits = fields.get('spec.template.spec.containers[].resources.limits{}')?.[0]?.spec;
    expect(limits).toMatchObject({ template: { spec: { containers: [{ resources: { limits: { cpu: '1' } } }] } } });
  });
});

describe('values', () => {
  const spec: Schema = {
    type: 'object',
    properties: {
      choice: { type: 'string', enum: ['One', 'Two'] },
      count: { type: 'integer', format: 'int32', minimum: 1, maximum: 5 },
      names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
      labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1 },
    },
  };
  const fields = transitionsOf(spec, { values: [], companions: [], keyAt: () => 'key' }, 1);
  const valuesOf = (path: string, intent: string): unknown[] =>
    (fields.get(path) ?? []).filter((each) => each.intent === intent).map(({ value }) => value);

  it.each([
    { path: 'spec.choice', good: ['One', 'Two'], bad: ['Nonsense', '', 7] },
    { path: 'spec.count', good: [1, 5], bad: [0, 6, 1.5, '1', 2 ** 31] },
    { path: 'spec.names', good: [['text']], bad: [[], ['text', 'text', 'text'], 'text'] },
    { path: 'spec.labels', good: [{ key: 'text' }], bad: [{ 'key-0': 'text', 'key-1': 'text' }, 'text', ['text']] },
  ])('of $path reach every bound and go beyond', ({ path, good, bad }) => {
    expect(valuesOf(path, 'good')).toEqual(expect.arrayContaining(good));
    expect(valuesOf(path, 'bad')).toEqual(expect.arrayContaining(bad));
    expect(valuesOf(path, 'bad')).not.toEqual(expect.arrayContaining([good[0]]));
  });

  it('have keys of prototypes as keys of their own', () => {
    const hostile = valuesOf('spec.labels', 'open').filter((value) => Object.hasOwn(value ?? {}, '__proto__'));
    expect(JSON.stringify(hostile)).toBe('[{"__proto__":"text"}]');
  });
});

describe('rounds', () => {
  const fields = transitionsOf(myDeployment.spec, podSamples, 7);

  it('begin with a good value of every field, then a bad one', () => {
    const [first = [], second = []] = inRounds(fields, 7);
    expect(new Set(first.map(({ path }) => path)).size).toBe(fields.size);
    expect(new Set(second.map(({ path }) => path)).size).toBe(fields.size);
    expect(new Set(first.map(({ intent }) => intent))).toEqual(new Set(['good']));
    expect(new Set(second.map(({ intent }) => intent))).toEqual(new Set(['bad']));
  });

  it('leave nothing out, and are the same for the same seed only', () => {
    const rounds = inRounds(fields, 7);
    expect(rounds.flat()).toHaveLength([...fields.values()].flat().length);
    const again = inRounds(transitionsOf(myDeployment.spec, podSamples, 7), 7);
    expect(JSON.stringify(again) === JSON.stringify(rounds)).toBe(true);
    const paths = (seed: number) => inRounds(fields, seed)[0]?.map(({ path }) => path);
    expect(paths(8)).not.toEqual(paths(7));
  });
});

function imoocPodWith(name: string, schema: object): Schema {
  return { ...imoocPod.spec, properties: { ...imoocPod.spec.properties, [name]: schema as Schema } };
}
