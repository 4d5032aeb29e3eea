import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Flags, UsageError } from '../../src/kubectl/arguments.ts';
import { doneLine, type Format, formatOf, printObject, printObjects } from '../../src/kubectl/output.ts';
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

  it('is one of a List among several, as kubectl prints it', () => {
    const list = JSON.parse(printObjects([object, object], 'json'));
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' } });
    expect(list.items).toEqual([JSON.parse(printObject(object, 'json')), JSON.parse(printObject(object, 'json'))]);
    expect(parse(printObjects([object, object], 'yaml'))).toEqual(list);
    expect(printObjects([object, object], 'name').split('\n')).toHaveLength(3);
  });
});

describe('-o', () => {
  const flags = (output?: string) => new Flags(new Map(output === undefined ? [] : [['output', [output]]]));

  it('takes a JSONPath template with equals signs in it, which sees managedFields and, of several objects, a List', () => {
    const format = formatOf(flags('jsonpath={.metadata.name}={.metadata.managedFields[0].manager}'));
    expect(printObject(object, format as Format)).toBe('web=x');
    const names = formatOf(flags('jsonpath={.items[*].metadata.name}')) as Format;
    expect(printObjects([object, object], names)).toBe('web web');
  });

  it.each([
    ['wide', '--output is one of json, yaml, name, jsonpath=TEMPLATE, got "wide"'],
    ['jsonpath', "-o jsonpath needs a template, such as -o jsonpath='{.metadata.name}'"],
    ['jsonpath=', "-o jsonpath needs a template, such as -o jsonpath='{.metadata.name}'"],
  ])('%s is refused', (output, says) => {
    expect(() => formatOf(flags(output))).toThrow(new UsageError(says));
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
