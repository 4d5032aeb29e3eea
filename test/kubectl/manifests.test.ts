import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readManifests } from '../../src/kubectl/manifests.ts';

const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
const at = (name: string): string => join(folder, name);
const object = (name: string, namespace?: string) => ({
  apiVersion: 'kubebuilder.zq.com/v1beta1',
  kind: 'MyDeployment',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});
const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n';

beforeAll(() => {
  mkdirSync(at('all/deep'), { recursive: true });
  mkdirSync(at('empty'));
  writeFileSync(at('all/a.yaml'), `${SERVICE}---\n${JSON.stringify(object('a'))}\n---\n`);
  writeFileSync(at('all/b.json'), JSON.stringify({ kind: 'List', items: [object('b', 'shop'), object('c')] }));
  writeFileSync(at('all/notes.txt'), '{');
  writeFileSync(at('all/deep/d.yml'), JSON.stringify(object('d')));
  writeFileSync(at('service.yaml'), SERVICE);
  writeFileSync(at('broken.yaml'), 'a: b: c\n');
  writeFileSync(at('nameless.yaml'), 'apiVersion: kubebuilder.zq.com/v1beta1\nkind: MyDeployment\nmetadata:\n');
  writeFileSync(at('wrong-name.yaml'), JSON.stringify(object('../pods')));
});

const options = { namespace: 'default', isAsked: false, recursive: false };

describe('the MyDeployments in files', () => {
  it('are found among other kinds, in Lists and in folders', () => {
    expect(readManifests([at('all/a.yaml')], options)).toEqual([{ namespace: 'default', name: 'a' }]);
    expect(readManifests([at('all')], options)).toEqual([
      { namespace: 'default', name: 'a' },
      { namespace: 'shop', name: 'b' },
      { namespace: 'default', name: 'c' },
    ]);
    const deep = readManifests([at('all')], { ...options, recursive: true });
    expect(deep.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    { file: 'nope.yaml', says: /^the path ".*nope.yaml" does not exist$/ },
    { file: 'service.yaml', says: /^no MyDeployment in .*service.yaml$/ },
    { file: 'empty', says: /^no .json, .yaml or .yml file in .*empty$/ },
    { file: 'broken.yaml', says: /^error parsing .*broken.yaml: .* at line 1, column 4/ },
    { file: 'nameless.yaml', says: /^.*nameless.yaml: a MyDeployment has no metadata.name$/ },
    { file: 'wrong-name.yaml', says: /"\.\.\/pods" is no/ },
  ])('are refused by name: $file', ({ file, says }) => {
    expect(() => readManifests([at(file)], options)).toThrow(says);
  });

  it('of another namespace than the one asked for are refused, as URLs are', () => {
    expect(() => readManifests([at('all/b.json')], { ...options, isAsked: true })).toThrow(
      'the namespace from the provided object "shop" does not match the namespace "default": pass --namespace=shop',
    );
    expect(() => readManifests(['https://example.com/web.yaml'], options)).toThrow(
      '-f takes files and folders, not URLs: download https://example.com/web.yaml first',
    );
  });
});
