import { describe, expect, it } from '@jest/globals';
import { requestedRevision, rollBack } from '../../../src/kinds/my-deployment/plan/rollback.ts';
import { observe } from '../../../src/kinds/my-deployment/plan/snapshot.ts';
import { myDeployment, NOW, revision, snapshotOf, template } from './fixture.ts';

const CHANGE_CAUSE = 'kubernetes.io/change-cause';
const ROLLBACK_TO = 'mydeployment.kubebuilder.zq.com/rollback-to';
const object = myDeployment({ version: 'v3', metadata: { resourceVersion: '42' } });
const one = revision(object, 'v1', { number: 1, annotations: { [CHANGE_CAUSE]: 'first try' } });
const two = revision(object, 'v2', { number: 2 });
const three = revision(object, 'v3', { number: 3 });

describe('a request to roll back', () => {
  it.each([
    { text: undefined, requested: undefined },
    { text: '0', requested: 0 },
    { text: '3', requested: 3 },
    { text: '', requested: undefined },
    { text: 'last', requested: undefined },
    { text: '-1', requested: undefined },
    { text: '3rd', requested: undefined },
  ])('"$text" asks for $requested', ({ text, requested }) => {
    const annotations = text === undefined ? {} : { [ROLLBACK_TO]: text };
    expect(requestedRevision(myDeployment({ metadata: { annotations } }))).toBe(requested);
  });

  it.each([
    { name: 'a number', requested: 1, revisions: [one, two, three], version: 'v1', cause: 'first try' },
    { name: 'the one before', requested: 0, revisions: [one, two, three], version: 'v2', cause: null },
    { name: 'the one before, present not recorded', requested: 0, revisions: [one, two], version: 'v2', cause: null },
  ])('is served: $name', ({ requested, revisions, version, cause }) => {
    const number = Number(version.slice(1));
    expect(rollBack(observe(snapshotOf(object, revisions), NOW), requested)).toEqual({
      actions: [
        {
          do: 'updateOwner',
          resourceVersion: '42',
          template: template(version),
          annotations: { [ROLLBACK_TO]: null, [CHANGE_CAUSE]: cause },
        },
      ],
      events: [
        {
          type: 'Normal',
          reason: 'DeploymentRollback',
          message: `Rolled back MyDeployment "web" to revision ${number}`,
        },
      ],
    });
  });

  it.each([
    {
      name: 'no such revision',
      requested: 7,
      revisions: [one, two, three],
      reason: 'DeploymentRollbackRevisionNotFound',
      message: 'Unable to find revision 7.',
    },
    {
      name: 'no revision before',
      requested: 0,
      revisions: [three],
      reason: 'DeploymentRollbackRevisionNotFound',
      message: 'Unable to find last revision.',
    },
    {
      name: 'the present template',
      requested: 3,
      revisions: [one, two, three],
      reason: 'DeploymentRollbackTemplateUnchanged',
      message: 'Revision 3 has the same template as MyDeployment "web"',
    },
  ])('is dropped with a warning: $name', ({ requested, revisions, reason, message }) => {
    expect(rollBack(observe(snapshotOf(object, revisions), NOW), requested)).toEqual({
      actions: [{ do: 'updateOwner', resourceVersion: '42', annotations: { [ROLLBACK_TO]: null } }],
      events: [{ type: 'Warning', reason, message }],
    });
  });
});
