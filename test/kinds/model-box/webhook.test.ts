import { describe, expect, it } from '@jest/globals';
import type { ModelBox } from '../../../src/kinds/model-box/types.gen.ts';
import { validator } from '../../../src/kinds/model-box/webhook.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { ApiError, type StatusCause } from '../../../src/runtime/errors.ts';
import type { AdmissionRequest, ValidationResult } from '../../../src/runtime/webhook/admission.ts';
import { modelBox } from './fixture.ts';

/** What the webhook says about a request, and which templates it had the API server judge. */
async function review(
  request: { object: ModelBox | null; oldObject?: ModelBox },
  refusal?: ApiError,
): Promise<{ findings: ValidationResult; judged: string[] }> {
  const judged: string[] = [];
  const create = async (_: unknown, { template }: { template: { spec: { containers: { name: string }[] } } }) => {
    judged.push(...template.spec.containers.map(({ name }) => name));
    if (refusal) throw refusal;
    return { template };
  };
  const asked = { oldObject: null, namespace: 'default', ...request } as unknown as AdmissionRequest<ModelBox>;
  const findings = await validator({ create } as unknown as Client)(asked, new AbortController().signal);
  return { findings, judged };
}

function refused(
  reason: 'Invalid' | 'Forbidden' | 'NotFound' | 'Timeout',
  causes: readonly StatusCause[] = [],
): ApiError {
  return new ApiError(reason, `${reason}!`, { status: { details: { causes } } });
}

describe('the webhook', () => {
  it('has the API server judge the containers', async () => {
    const { findings, judged } = await review({ object: modelBox({ containers: [{ name: 'side' }] }) });
    expect({ findings, judged }).toEqual({ findings: {}, judged: ['web', 'side'] });
  });

  it('tells what is wrong of the field of the ModelBox', async () => {
    const causes = [{ field: 'template.spec.containers[0].env[0].name', message: 'no', reason: 'FieldValueInvalid' }];
    const { findings } = await review({ object: modelBox() }, refused('Invalid', causes));
    expect(findings.errors).toEqual([{ field: 'spec.envs[0].name', message: 'no', reason: 'FieldValueInvalid' }]);
  });

  it('refuses a name before anything else', async () => {
    const metadata = { ...modelBox().metadata, name: 'web.example' };
    const { findings, judged } = await review({ object: modelBox({}, { metadata }) });
    expect(findings.errors).toMatchObject([{ field: 'metadata.name' }]);
    expect(judged).toEqual([]);
  });

  it('judges an object whose name is still to be chosen', async () => {
    const { name: _, ...metadata } = modelBox().metadata;
    const { judged } = await review({ object: { ...modelBox(), metadata: metadata as ModelBox['metadata'] } });
    expect(judged).toEqual(['modelbox']);
  });

  it.each<{ name: string; request: { object: ModelBox | null; oldObject?: ModelBox } }>([
    { name: 'a deletion', request: { object: null } },
    { name: 'a spec that stays', request: { object: modelBox(), oldObject: modelBox() } },
    {
      name: 'an object on its way out',
      request: {
        object: modelBox(
          { image: 'x' },
          { metadata: { ...modelBox().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        ),
        oldObject: modelBox(),
      },
    },
  ])('lets pass without a question: $name', async ({ request }) => {
    expect(await review(request)).toEqual({ findings: {}, judged: [] });
  });

  it('lets pass what will never run', async () => {
    const going = refused('Forbidden', [{ reason: 'NamespaceTerminating' }]);
    expect((await review({ object: modelBox() }, going)).findings).toEqual({});
    expect((await review({ object: modelBox() }, refused('NotFound'))).findings).toEqual({});
  });

  it('lets pass what only a quota refuses, which is asked last', async () => {
    const message = 'podtemplates "dry-run-x" is forbidden: exceeded quota: few, requested: count/podtemplates=1';
    const { findings } = await review({ object: modelBox() }, new ApiError('Forbidden', 'no', { status: { message } }));
    expect(findings).toEqual({});
  });

  it('refuses what nobody could judge', async () => {
    for (const reason of ['Forbidden', 'Timeout'] as const) {
      const { findings } = await review({ object: modelBox() }, refused(reason));
      expect(findings.denied).toBe(`the containers could not be checked by the API server, try again: ${reason}!`);
    }
  });
});
