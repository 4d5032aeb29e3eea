// When the API server is asked about a template, and when what it has just said is enough.

import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../src/runtime/client/client.ts';
import { AnswerTooLong, ApiError } from '../../src/runtime/errors.ts';
import { TemplateJudge } from '../../src/workload/template-judge.ts';
import type { PodTemplate } from '../../src/workload/template-schema.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** As the API server returns it: with defaults, here one, and with its keys in an order of its own. */
function filledIn({ metadata, spec }: PodTemplate): PodTemplate {
  return { spec: { dnsPolicy: 'ClusterFirst', ...spec }, ...(metadata && { metadata }) };
}

function template(image: string): PodTemplate {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
}

/** A judge of an API server that fills in defaults, or fails while there is a `failure`. */
class Court {
  readonly clock = new FakeClock();
  readonly judge: TemplateJudge;
  failure: ApiError | undefined;
  asked = 0;

  constructor() {
    const create = async (_: unknown, { template: given }: { template: PodTemplate }) => {
      this.asked++;
      if (this.failure !== undefined) throw this.failure;
      return { template: filledIn(given) };
    };
    this.judge = new TemplateJudge({ create } as unknown as Client, this.clock);
  }

  /** How often the API server is asked what is wrong with this. */
  async questions(namespace: string, asked: PodTemplate): Promise<number> {
    const before = this.asked;
    await this.judge.errorsIn(namespace, asked).catch(() => undefined);
    return this.asked - before;
  }
}

const written = template('web:v1');
const returned = filledIn(written);
const dnsPolicy = { field: 'template.spec.dnsPolicy', reason: 'FieldValueNotSupported', message: 'Unsupported value' };
const invalid = new ApiError('Invalid', 'no', { status: { details: { causes: [dnsPolicy] } } });

describe('a template that the server has just returned', () => {
  it('is sound without another question, whatever the order of its keys', async () => {
    const court = new Court();
    expect(await court.judge.judge('ns', written)).toEqual({ template: returned });
    expect(await court.judge.errorsIn('ns', filledIn(returned))).toEqual([]);
    expect(await court.judge.errorsIn('ns', { ...written, spec: { ...returned.spec } })).toEqual([]);
    expect(court.asked).toBe(1);
  });

  it('is asked about again after five seconds', async () => {
    const court = new Court();
    await court.judge.judge('ns', written);
    await court.clock.advance(4_999);
    expect(await court.questions('ns', returned)).toBe(0);
    await court.clock.advance(1);
    expect(await court.questions('ns', returned)).toBe(1);
  });

  it.each<{ name: string; namespace: string; other: PodTemplate }>([
    { name: 'in another namespace', namespace: 'other', other: returned },
    { name: 'with another image', namespace: 'ns', other: filledIn(template('web:v2')) },
    { name: 'with another label', namespace: 'ns', other: { ...returned, metadata: { labels: { app: 'api' } } } },
    {
      name: 'as another user',
      namespace: 'ns',
      other: { ...returned, spec: { ...returned.spec, serviceAccountName: 'admin' } },
    },
    { name: 'as people wrote it', namespace: 'ns', other: written },
  ])('says nothing of one $name', async ({ namespace, other }) => {
    const court = new Court();
    await court.judge.judge('ns', written);
    expect(await court.questions(namespace, other)).toBe(1);
  });

  it('is forgotten after a thousand others', async () => {
    const court = new Court();
    const images = Array.from({ length: 1_025 }, (_, index) => `web:v${index}`);
    for (const image of images) await court.judge.judge('ns', template(image));
    expect(await court.questions('ns', filledIn(template('web:v1')))).toBe(0);
    expect(await court.questions('ns', filledIn(template('web:v0')))).toBe(1);
  });
});

describe('a refusal', () => {
  it('speaks of the whole template where a cause names no field', async () => {
    const court = new Court();
    const causes = [dnsPolicy, { message: '2372 more causes' }];
    court.failure = new ApiError('Invalid', 'no', { status: { details: { causes } } });
    expect(await court.judge.errorsIn('ns', returned)).toEqual([
      { ...dnsPolicy, field: 'spec.template.spec.dnsPolicy' },
      { field: 'spec.template', message: '2372 more causes', reason: 'FieldValueInvalid' },
    ]);
  });
});

describe('what is not remembered', () => {
  it('a refusal: what was wrong may be right a moment later', async () => {
    const court = new Court();
    court.failure = invalid;
    const errors = [{ ...dnsPolicy, field: 'spec.template.spec.dnsPolicy' }];
    expect(await court.judge.judge('ns', returned)).toEqual({ errors });
    expect(await court.judge.errorsIn('ns', returned)).toEqual(errors);
    court.failure = undefined;
    expect(await court.questions('ns', returned)).toBe(1);
  });

  it('a failure to ask', async () => {
    const court = new Court();
    court.failure = new ApiError('Connection', 'connection refused');
    await expect(court.judge.judge('ns', returned)).rejects.toBe(court.failure);
    await expect(court.judge.errorsIn('ns', returned)).rejects.toBe(court.failure);
    court.failure = undefined;
    expect(await court.questions('ns', returned)).toBe(1);
  });
});

it('a template is refused that with its defaults is too long to be read', async () => {
  const court = new Court();
  court.failure = new ApiError('Connection', 'create podtemplates', { cause: new AnswerTooLong(8_388_608) });
  expect(await court.judge.errorsIn('ns', written)).toEqual([
    {
      field: 'spec.template',
      reason: 'FieldValueTooLong',
      message: 'Too long: has too many parts to be stored with their defaults',
    },
  ]);
  court.failure = new ApiError('Connection', 'reset');
  await expect(court.judge.errorsIn('ns', written)).rejects.toThrow('reset');
});
