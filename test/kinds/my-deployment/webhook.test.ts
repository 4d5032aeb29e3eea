// What the webhooks make of the API server's verdict on a template, whatever state that server is in. That the verdict
// is native's is shown on a real cluster (test/e2e/parity.cluster.test.ts).

import { describe, expect, it } from '@jest/globals';
import { defaulter, validator } from '../../../src/kinds/my-deployment/admission/webhook.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import { ApiError, type Status } from '../../../src/runtime/errors.ts';
import type { AdmissionRequest } from '../../../src/runtime/webhook/admission.ts';
import { TemplateJudge } from '../../../src/workload/template-judge.ts';
import type { PodTemplate } from '../../../src/workload/template-schema.ts';
import { myDeployment, template } from './fixture.ts';

type Verdict = (template: PodTemplate) => PodTemplate | ApiError;

interface Asked {
  readonly namespace: string | undefined;
  readonly options: object;
}

/** A judge whose dry runs end with this verdict, and what the API server was asked. */
function judging(verdict: Verdict): { judge: TemplateJudge; asked: Asked[] } {
  const asked: Asked[] = [];
  const create = async (
    _: unknown,
    manifest: { metadata: { namespace?: string }; template: PodTemplate },
    options: object,
  ) => {
    asked.push({ namespace: manifest.metadata.namespace, options });
    const result = verdict(manifest.template);
    if (result instanceof ApiError) throw result;
    return { ...manifest, template: result };
  };
  return { judge: new TemplateJudge({ create } as unknown as Client), asked };
}

const accepts: Verdict = (given) => given;
const fills: Verdict = (given) => ({ ...given, spec: { ...given.spec, dnsPolicy: 'ClusterFirst' } });
const refuses = (reason: ApiError['reason'], status: Status): Verdict => {
  return () => new ApiError(reason, `create podtemplates ns/dry-run-*: ${reason}`, { status });
};

const invalidDns = refuses('Invalid', {
  details: {
    causes: [{ field: 'template.spec.dnsPolicy', reason: 'FieldValueNotSupported', message: 'Unsupported value: "x"' }],
  },
});
const going = refuses('Forbidden', { details: { causes: [{ reason: 'NamespaceTerminating' }] } });
const noRights = refuses('Forbidden', { message: 'podtemplates is forbidden' });
const FULL =
  'exceeded quota: few, requested: count/podtemplates=1, used: count/podtemplates=0, limited: count/podtemplates=0';
const overQuota = refuses('Forbidden', { message: `podtemplates "dry-run-x" is forbidden: ${FULL}` });
const overFreshQuota = refuses('Forbidden', {
  message: 'podtemplates "dry-run-x" is forbidden: status unknown for quota: few, resources: count/podtemplates',
});
const policyAboutQuota = refuses('Forbidden', {
  message: 'admission webhook "policy.example" denied the request: podtemplates "x" is forbidden: exceeded quota',
});
const noNamespace = refuses('NotFound', { message: 'namespaces "ns" not found' });
const unreachable: Verdict = () => new ApiError('Connection', 'create podtemplates ns/dry-run-*: Connection refused');

function request(object: MyDeployment | null, oldObject: MyDeployment | null = null): AdmissionRequest<MyDeployment> {
  return {
    uid: '1',
    operation: oldObject === null ? 'CREATE' : 'UPDATE',
    kind: { group: 'kubebuilder.zq.com', version: 'v1beta1', kind: 'MyDeployment' },
    resource: { group: 'kubebuilder.zq.com', version: 'v1beta1', resource: 'mydeployments' },
    namespace: 'ns',
    userInfo: {},
    object,
    oldObject,
  };
}

const { signal } = new AbortController();
const web = myDeployment({ version: 'v1' });
const deleted = myDeployment({ version: 'v2', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });

async function fill(verdict: Verdict, { object, oldObject } = { object: web, oldObject: null as MyDeployment | null }) {
  const { judge, asked } = judging(verdict);
  const filled = await defaulter(judge)(object, request(object, oldObject), signal);
  return { template: filled.spec.template, asked };
}

async function validate(verdict: Verdict, object: MyDeployment | null = web, oldObject: MyDeployment | null = null) {
  const { judge, asked } = judging(verdict);
  return { findings: await validator(judge)(request(object, oldObject), signal), asked };
}

describe('defaulting', () => {
  it('takes the defaults of the API server, which stores nothing for it', async () => {
    const { template: filled, asked } = await fill(fills);
    expect(filled.spec).toMatchObject({ dnsPolicy: 'ClusterFirst' });
    expect(asked).toEqual([{ namespace: 'ns', options: expect.objectContaining({ dryRun: true }) }]);
  });

  it('leaves out the null timestamp that older servers return, which would be a change', async () => {
    const old: Verdict = (given) => ({ ...given, metadata: { ...given.metadata, creationTimestamp: null as never } });
    expect((await fill(old)).template).toEqual(web.spec.template);
  });

  it('leaves out null wherever the server writes it, which the schema would refuse', async () => {
    const volumes = [{ name: 'a', projected: { defaultMode: 256, sources: null } }];
    const server: Verdict = (given) => ({ ...given, spec: { ...given.spec, volumes } as never });
    const { template: filled } = await fill(server);
    expect(filled.spec).toMatchObject({ volumes: [{ name: 'a', projected: { defaultMode: 256 } }] });
    expect(JSON.stringify(filled)).not.toContain('null');
  });

  it.each([
    { when: 'the template is wrong', verdict: invalidDns },
    { when: 'the server cannot be asked', verdict: unreachable },
    { when: 'the namespace is going', verdict: going },
    { when: 'a quota forbids it', verdict: overQuota },
  ])('leaves the object alone when $when: that is for the validator to say', async ({ verdict }) => {
    expect((await fill(verdict)).template).toEqual(web.spec.template);
  });

  it('does not ask about a template that did not change, or is on its way out', async () => {
    const scaled = myDeployment({ version: 'v1', replicas: 9 });
    expect((await fill(fills, { object: scaled, oldObject: web })).asked).toEqual([]);
    expect((await fill(fills, { object: deleted, oldObject: web })).asked).toEqual([]);
  });

  it('does not stumble over an object without a spec or template', async () => {
    const { judge } = judging(accepts);
    for (const spec of [undefined, {}, { template: null }, { template: 'text' }]) {
      const object = { ...web, spec } as unknown as MyDeployment;
      expect(await defaulter(judge)(object, request(object), signal)).toBe(object);
    }
  });
});

describe('validating', () => {
  it('allows what both the server and our own rules allow', async () => {
    expect((await validate(accepts)).findings).toEqual({ errors: [] });
  });

  it('tells what the server finds at the place where people wrote it', async () => {
    const { findings } = await validate(invalidDns);
    expect(findings.errors).toEqual([
      { field: 'spec.template.spec.dnsPolicy', reason: 'FieldValueNotSupported', message: 'Unsupported value: "x"' },
    ]);
  });

  it('tells what our rules find as well', async () => {
    const { findings } = await validate(invalidDns, myDeployment({ replicas: -1 }));
    expect(findings.errors?.map(({ field }) => field)).toEqual(['spec.replicas', 'spec.template.spec.dnsPolicy']);
  });

  it('refuses a value that does not decode in the server’s words', async () => {
    const message = 'PodTemplate in version "v1" cannot be handled as a PodTemplate: quantities must match';
    const { findings } = await validate(refuses('BadRequest', { message }));
    expect(findings.errors).toEqual([
      { field: 'spec.template', reason: 'FieldValueInvalid', message: 'Invalid value: quantities must match' },
    ]);
  });

  it.each([
    { when: 'is going', verdict: going },
    { when: 'is gone', verdict: noNamespace },
  ])('allows what it cannot try because the namespace $when: nothing will run there', async ({ verdict }) => {
    expect((await validate(verdict)).findings).toEqual({ errors: [] });
  });

  it.each([
    { when: 'may not ask', verdict: noRights },
    { when: 'is refused by a policy of others', verdict: policyAboutQuota },
    { when: 'cannot reach the server', verdict: unreachable },
  ])('refuses with a clear word when it $when', async ({ verdict }) => {
    const { findings } = await validate(verdict);
    expect(findings.denied).toMatch(
      /^spec\.template could not be checked by the API server, try again: create podtemplates/,
    );
  });

  it.each([
    { name: 'exceeded', verdict: overQuota, words: FULL },
    { name: 'fresh', verdict: overFreshQuota, words: 'status unknown for quota: few, resources: count/podtemplates' },
  ])(
    'allows, with a warning, a template whose dry run ends at a quota, which is asked last: $name',
    async ({ verdict, words }) => {
      const warning = `spec.template is stored without defaults: ${words}`;
      expect((await validate(verdict)).findings).toEqual({ errors: [], warnings: [warning] });
      const { findings } = await validate(verdict, myDeployment({ replicas: -1 }));
      expect(findings.errors).toEqual([expect.objectContaining({ field: 'spec.replicas' })]);
    },
  );

  it('still tells what our rules find when the server cannot be asked', async () => {
    const { findings } = await validate(unreachable, myDeployment({ replicas: -1 }));
    expect(findings).toEqual({ errors: [expect.objectContaining({ field: 'spec.replicas' })] });
  });

  it('refuses another selector', async () => {
    const labels = { app: 'web', tier: 'front' };
    const moved = myDeployment({ selector: { matchLabels: { tier: 'front' } } });
    const other = { ...moved, spec: { ...moved.spec, template: { ...template('v1'), metadata: { labels } } } };
    const { findings } = await validate(accepts, other, web);
    expect(findings.errors).toEqual([
      expect.objectContaining({ field: 'spec.selector', message: expect.stringContaining('field is immutable') }),
    ]);
  });

  it('does not look at a template that did not change, so that an older server does not lock people out', async () => {
    expect(await validate(invalidDns, myDeployment({ version: 'v1', replicas: 9 }), web)).toEqual({
      findings: { errors: [] },
      asked: [],
    });
  });

  it('lets everything pass that is being deleted, so that finalizers can be removed', async () => {
    const wrong = { ...deleted, spec: { ...deleted.spec, replicas: -1 } };
    expect(await validate(invalidDns, wrong, web)).toEqual({ findings: {}, asked: [] });
    expect(await validate(invalidDns, null, web)).toEqual({ findings: {}, asked: [] });
  });
});

describe('both webhooks of one admission', () => {
  it('ask once: the validator is shown what the server has just returned', async () => {
    const { judge, asked } = judging(fills);
    const filled = await defaulter(judge)(web, request(web), signal);
    const stored = JSON.parse(JSON.stringify(filled)) as MyDeployment;
    expect(await validator(judge)(request(stored), signal)).toEqual({ errors: [] });
    expect(asked).toHaveLength(1);
  });

  it('ask again about a template that another webhook has changed in between', async () => {
    const { judge, asked } = judging(fills);
    await defaulter(judge)(web, request(web), signal);
    await validator(judge)(request(web), signal);
    expect(asked).toHaveLength(2);
  });
});
