import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { doneLine, printObject, printObjects } from '../../src/kubectl/output.ts';
import { controllerRevisions } from '../../src/workload/write-context.ts';
import { myDeployment, revision } from '../kinds/my-deployment/fixture.ts';

const object = myDeployment({ metadata: { managedFields: [{ manager: 'x' }] } as object });

describe('an object', () => {
  it('is printed whole, with its kind and without managedFields', () => {
    const printed = JSON.parse(printObject(object, 'json'));
    expect(printed).toMatchObject({
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      spec: object.spec,
    });
    expect(printed.metadata).not.toHaveProperty('managedFields');
    expect(parse(printObject(object, 'yaml'))).toEqual(printed);
  });

  it('is named as kubectl names it', () => {
    expect(printObject(object, 'name')).toBe('mydeployment.kubebuilder.zq.com/web\n');
    const recorded = revision(object, 'v1', { number: 1 });
    expect(printObject(recorded, 'name', controllerRevisions)).toBe(
      `controllerrevision.apps/${recorded.metadata.name}\n`,
    );
  });

  it('is one of a List among several, or one after the other', () => {
    expect(JSON.parse(printObjects([object, object], 'json'))).toMatchObject({ kind: 'List', items: { length: 2 } });
    expect(printObjects([object, object], 'yaml').split('---\n')).toHaveLength(2);
    expect(printObjects([object, object], 'name').split('\n')).toHaveLength(3);
  });
});

describe('what was done', () => {
  it.each([
    ['none', 'paused'],
    ['client', 'paused (dry run)'],
    ['server', 'paused (server dry run)'],
  ] as const)('with --dry-run=%s is "%s"', (dryRun, says) => {
    expect(doneLine('web', 'paused', dryRun)).toBe(`mydeployment.kubebuilder.zq.com/web ${says}\n`);
  });
});
