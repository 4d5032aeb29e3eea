import { describe, expect, it } from '@jest/globals';
import { validateCreate, validateUpdate } from '../../../src/kinds/my-deployment/admission/validate.ts';
import type { MyDeployment, MyDeploymentSpec } from '../../../src/kinds/my-deployment/types.gen.ts';
import { invalidStatus } from '../../../src/runtime/webhook/field-error.ts';
import { myDeployment, template } from './fixture.ts';

const valid = myDeployment();

function withSpec(spec: object): MyDeployment {
  return { ...valid, spec: { ...valid.spec, ...spec } };
}

function requiring(operator: string, values?: string[]): MyDeployment {
  const matchExpressions = [{ key: 'app', operator, ...(values && { values }) }];
  return withSpec({ selector: { matchExpressions } });
}

function podSpec(fields: object): MyDeployment {
  return withSpec({ template: { ...template('v2'), spec: { ...template('v2').spec, ...fields } } });
}

function paced(maxSurge: unknown, maxUnavailable: unknown): MyDeployment {
  return withSpec({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } });
}

describe('an object that is right', () => {
  it.each([
    { name: 'as small as can be', object: valid },
    { name: 'Recreate', object: withSpec({ strategy: { type: 'Recreate' } }) },
    { name: 'no replicas', object: withSpec({ replicas: 0, revisionHistoryLimit: 0 }) },
    { name: 'a surge of more than all', object: paced('150%', 0) },
    { name: 'all may be missing', object: paced(0, '100%') },
    { name: 'In', object: requiring('In', ['web', 'api']) },
    { name: 'NotIn', object: requiring('NotIn', ['api']) },
    { name: 'Exists', object: requiring('Exists') },
    { name: 'restartPolicy Always', object: podSpec({ restartPolicy: 'Always' }) },
    { name: 'restartPolicy left empty', object: podSpec({ restartPolicy: '' }) },
    { name: 'waits long, but not as long as it may', object: withSpec({ minReadySeconds: 599 }) },
  ])('$name', ({ object }) => {
    expect(validateCreate(object)).toEqual([]);
    expect(validateUpdate(object, object)).toEqual([]);
  });
});

describe('an object that is wrong', () => {
  it.each([
    { name: 'no selector', object: withSpec({ selector: undefined }), field: 'spec.selector', says: 'Required value' },
    {
      name: 'an empty selector',
      object: withSpec({ selector: { matchLabels: {} } }),
      field: 'spec.selector',
      says: 'Invalid value: {"matchLabels":{}}: empty selector is invalid for deployment',
    },
    {
      name: 'In without values',
      object: requiring('In'),
      field: 'spec.selector.matchExpressions[0].values',
      says: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
    },
    {
      name: 'Exists with values',
      object: requiring('Exists', ['web']),
      field: 'spec.selector.matchExpressions[0].values',
      says: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    },
    {
      name: 'an unknown operator',
      object: requiring('Like', ['w']),
      field: 'spec.selector.matchExpressions[0].operator',
      says: 'Invalid value: "Like": not a valid selector operator',
    },
    {
      name: 'labels that miss an expression',
      object: requiring('In', ['api']),
      field: 'spec.template.metadata.labels',
      says: 'Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    },
    {
      name: 'restartPolicy Never',
      object: podSpec({ restartPolicy: 'Never' }),
      field: 'spec.template.spec.restartPolicy',
      says: 'Unsupported value: "Never": supported values: "Always"',
    },
    {
      name: 'a deadline for its pods',
      object: podSpec({ activeDeadlineSeconds: 60 }),
      field: 'spec.template.spec.activeDeadlineSeconds',
      says: 'Forbidden: activeDeadlineSeconds in MyDeployment is not Supported',
    },
    {
      name: 'a pace for Recreate',
      object: withSpec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      field: 'spec.strategy.rollingUpdate',
      says: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
    },
    {
      name: 'an unknown strategy',
      object: withSpec({ strategy: { type: 'BlueGreen' } }),
      field: 'spec.strategy',
      says: 'Unsupported value: "BlueGreen": supported values: "Recreate", "RollingUpdate"',
    },
    {
      name: 'neither surge nor unavailable',
      object: paced(0, '0%'),
      field: 'spec.strategy.rollingUpdate.maxUnavailable',
      says: 'Invalid value: "0%": may not be 0 when `maxSurge` is 0',
    },
    {
      name: 'more missing than there are',
      object: paced(1, '101%'),
      field: 'spec.strategy.rollingUpdate.maxUnavailable',
      says: 'Invalid value: "101%": must not be greater than 100%',
    },
    {
      name: 'a share that is none',
      object: paced('a lot', 1),
      field: 'spec.strategy.rollingUpdate.maxSurge',
      says: `Invalid value: "a lot": a valid percent string must be digits followed by '%' (e.g. '1%' or '93%')`,
    },
    {
      name: 'a share with a word before it',
      object: paced('some 5%', 1),
      field: 'spec.strategy.rollingUpdate.maxSurge',
      says: `Invalid value: "some 5%": a valid percent string must be digits followed by '%' (e.g. '1%' or '93%')`,
    },
    {
      name: 'a share with a word after it',
      object: paced('5% or so', 1),
      field: 'spec.strategy.rollingUpdate.maxSurge',
      says: `Invalid value: "5% or so": a valid percent string must be digits followed by '%' (e.g. '1%' or '93%')`,
    },
    {
      name: 'a negative surge',
      object: paced(-1, 1),
      field: 'spec.strategy.rollingUpdate.maxSurge',
      says: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'kruise PR #2384: a negative maxUnavailable',
      object: paced(1, -1),
      field: 'spec.strategy.rollingUpdate.maxUnavailable',
      says: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'negative replicas',
      object: withSpec({ replicas: -1 }),
      field: 'spec.replicas',
      says: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'a negative history',
      object: withSpec({ revisionHistoryLimit: -1 }),
      field: 'spec.revisionHistoryLimit',
      says: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'a negative wait',
      object: withSpec({ minReadySeconds: -1 }),
      field: 'spec.minReadySeconds',
      says: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'a deadline before anything can be available',
      object: withSpec({ progressDeadlineSeconds: 10, minReadySeconds: 10 }),
      field: 'spec.progressDeadlineSeconds',
      says: 'Invalid value: 10: must be greater than minReadySeconds',
    },
    {
      name: 'a wait beyond the default deadline',
      object: withSpec({ minReadySeconds: 600 }),
      field: 'spec.progressDeadlineSeconds',
      says: 'Invalid value: 600: must be greater than minReadySeconds',
    },
  ])('$name', ({ object, field, says }) => {
    const errors = validateCreate(object);
    expect(errors.map(({ field: blamed, message }) => ({ field: blamed, message }))).toEqual([
      { field, message: says },
    ]);
  });

  it('a negative deadline, which is also before anything can be available', () => {
    expect(validateCreate(withSpec({ progressDeadlineSeconds: -1 })).map(({ message }) => message)).toEqual([
      'Invalid value: -1: must be greater than or equal to 0',
      'Invalid value: -1: must be greater than minReadySeconds',
    ]);
  });

  it('is wrong in a change as well', () => {
    expect(validateUpdate(valid, withSpec({ replicas: -1 }))).toMatchObject([{ field: 'spec.replicas' }]);
  });

  it('tells everything at once', () => {
    const spec: Partial<MyDeploymentSpec> = { replicas: -1, minReadySeconds: -1, selector: {} };
    expect(validateCreate(withSpec(spec)).map(({ field }) => field)).toEqual([
      'spec.selector',
      'spec.replicas',
      'spec.minReadySeconds',
    ]);
  });
});

describe("a selector on the operator's own labels", () => {
  const labels = { app: 'web', 'pod-template-hash': 'mine' };
  const template2 = { ...template('v2'), metadata: { labels } };
  const reserved = 'may not be one of controller-revision-hash, pod-template-hash: the operator sets these labels';
  const byLabel = withSpec({ selector: { matchLabels: labels }, template: template2 });
  const byExpression = withSpec({
    selector: {
      matchExpressions: [
        { key: 'app', operator: 'Exists' },
        { key: 'controller-revision-hash', operator: 'DoesNotExist' },
      ],
    },
  });

  it.each([
    {
      name: 'matchLabels',
      object: byLabel,
      field: 'spec.selector.matchLabels[pod-template-hash]',
      says: `Invalid value: "mine": a label ${reserved}`,
    },
    {
      name: 'matchExpressions',
      object: byExpression,
      field: 'spec.selector.matchExpressions[1].key',
      says: `Invalid value: "controller-revision-hash": ${reserved}`,
    },
  ])('$name: is refused, with the field and the value', ({ object, field, says }) => {
    expect(validateCreate(object)).toMatchObject([{ field, message: expect.stringContaining(says) }]);
    expect(validateUpdate(valid, object)).toContainEqual(expect.objectContaining({ field }));
  });

  it.each([{ object: byLabel }, { object: byExpression }])('may stay in an object that is stored', ({ object }) => {
    const scaled = { ...object, spec: { ...object.spec, replicas: 7 } };
    expect(validateUpdate(object, scaled)).toEqual([]);
  });

  it('such labels in the template are overwritten, as a Deployment does it', () => {
    expect(validateCreate(withSpec({ template: template2 }))).toEqual([]);
  });
});

describe('labels that miss the selector', () => {
  it('are refused in the words that this project began with', () => {
    const object = withSpec({ selector: { matchLabels: { app: 'mydeplo' } } });
    const { message } = invalidStatus({ group: '', kind: 'MyDeployment', name: 'x' }, validateCreate(object));
    expect(message).toBe(
      'MyDeployment "x" is invalid: .spec.template.metadata.labels: Invalid value: {"app":"web"}: ' +
        '.spec.template.metadata.labels must equal with .spec.selector.matchlabels',
    );
  });
});

describe('deployment_test.go TestDeploymentSelectorImmutability', () => {
  it.each([
    { name: 'another value', selector: { matchLabels: { app: 'web', tier: 'a' } }, wrong: true },
    { name: 'written differently', selector: { matchExpressions: [], matchLabels: { app: 'web' } }, wrong: false },
  ])('$name', ({ selector, wrong }) => {
    const labels = { app: 'web', tier: 'a' };
    const changed = withSpec({ selector, template: { ...template('v2'), metadata: { labels } } });
    const blamed = wrong ? [{ field: 'spec.selector', message: expect.stringContaining('field is immutable') }] : [];
    expect(validateUpdate(valid, changed)).toMatchObject(blamed);
    expect(validateUpdate(valid, changed)).toHaveLength(blamed.length);
  });
});
