import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../../../src/kubectl/arguments.ts';
import { parseTemplate } from '../../../src/kubectl/jsonpath/parse.ts';
import { renderTemplate } from '../../../src/kubectl/jsonpath/render.ts';
import { jsonpathTemplates } from './templates.ts';

const object = {
  kind: 'List',
  items: [
    {
      metadata: { name: 'web', labels: { app: 'shop', 'example.com/tier': 'front' } },
      spec: { replicas: 3, paused: false, ports: [80, 443, 8080] },
      status: {
        conditions: [
          { type: 'Available', status: 'True' },
          { type: 'Progressing', status: 'False' },
        ],
      },
    },
    { metadata: { name: 'api', labels: { app: 'a<b' } }, spec: { replicas: 1, note: null } },
  ],
};

const rendered = (template: string): string => renderTemplate(parseTemplate(template), object);

describe('a JSONPath template', () => {
  it.each([
    ['{.kind}', 'List'],
    ['{$.kind} and {@.kind}', 'List and List'],
    ['kind', 'kind'],
    ['{.items[0].metadata.name}', 'web'],
    ['{.items[-1].metadata.name}', 'api'],
    ['{.items[*].metadata.name}', 'web api'],
    ['{.items[*].status.conditions}', '[{"status":"True","type":"Available"},{"status":"False","type":"Progressing"}]'],
    ['{.items[0].metadata.labels}', '{"app":"shop","example.com/tier":"front"}'],
    ['{.items[1].metadata.labels}', '{"app":"a\\u003cb"}'],
    ['{.items[0].metadata.labels.example\\.com/tier}', 'front'],
    ["{.items[0].metadata.labels['example\\.com/tier']}", 'front'],
    ["{.items[*]['metadata.name','spec.replicas']}", 'web 3 api 1'],
    ['{.items[0].spec.ports[0:2]}', '80 443'],
    ['{.items[0].spec.ports[::2]}', '80 8080'],
    ['{.items[0].spec.ports[0,2]}', '80 8080'],
    ['{.items[0].spec.ports[1:1]}', ''],
    ['{.items[0].spec.paused}', 'false'],
    ['{.items[1].spec.note}', 'null'],
    ['{..name}', 'web api'],
    ['{.items[0].metadata.*}', '{"app":"shop","example.com/tier":"front"} web'],
    ['{.items[?(@.spec.replicas>1)].metadata.name}', 'web'],
    ["{.items[?(@.metadata.name=='api')].spec.replicas}", '1'],
    ['{.items[?(@.metadata.name!="api")].spec.replicas}', '3'],
    ['{.items[?(@.status)].metadata.name}', 'web'],
    ['{.items[0].status.conditions[?(@.type=="Available")].status}', 'True'],
    ['{range .items[*]}{.metadata.name}={.spec.replicas}{"\\n"}{end}!', 'web=3\napi=1\n!'],
    ['{range .items[*]}{.metadata.name}:{range .spec.ports[*]} {@}{end};{end}', 'web: 80 443 8080;api:;'],
    ['{.nothing.of.this}', ''],
    ['{.items[0].metadata.constructor}', ''],
    ["{'it'}{\"'s\"}", "it's"],
  ])('%s gives %s', (template, text) => {
    expect(rendered(template)).toBe(text);
  });

  it.each([
    ['', "-o jsonpath needs a template, such as -o jsonpath='{.metadata.name}'"],
    ['{.kind', '-o jsonpath: "}" expected at the end of "{.kind"'],
    ['{range .items[*]}{.kind}', '-o jsonpath: "{range}" without "{end}" at the end of "{range .items[*]}{.kind}"'],
    ['{.kind}{end}', '-o jsonpath: "{end}" without "{range}" at the end of "{.kind}{end}"'],
    [
      '{.items[x]}',
      '-o jsonpath: an index, a slice, "*", a quoted name or a filter expected before "x]}" of "{.items[x]}"',
    ],
    ['{.items[0}', '-o jsonpath: "]" expected before "}" of "{.items[0}"'],
    ['{"open}', '-o jsonpath: unterminated " at the end of "{"open}"'],
    [
      '{.items[?(x)]}',
      '-o jsonpath: a path, a quoted text, a number, true or false expected before "x)]}" of "{.items[?(x)]}"',
    ],
    ['{.a b}', '-o jsonpath: "}" expected before " b}" of "{.a b}"'],
  ])('%s is refused', (template, says) => {
    expect(() => parseTemplate(template)).toThrow(new UsageError(says));
  });

  it.each([
    ['{.items[5]}', 'jsonpath: array index out of bounds: index 5, length 2'],
    ['{.items[5:]}', 'jsonpath: array index out of bounds: index 5, length 2'],
    ['{.items[0:9]}', 'jsonpath: array index out of bounds: index 8, length 2'],
    ['{.kind[0]}', 'jsonpath: List is not an array'],
    ['{.kind[?(@.a)]}', 'jsonpath: List is not an array and cannot be filtered'],
    ['{.items[1:0]}', 'jsonpath: the slice begins at 1 and ends before that, at 0'],
    ['{.items[0:2:0]}', 'jsonpath: the step of a slice must be greater than 0, got 0'],
    ['{.items[?(@.spec.ports[*]==80)]}', 'jsonpath: a filter compares one value with one other'],
  ])('%s fails with this object', (template, says) => {
    expect(() => rendered(template)).toThrow(says);
  });

  it('reads every template that the cluster test compares with kubectl', () => {
    for (const template of jsonpathTemplates) expect(() => parseTemplate(template)).not.toThrow();
  });
});
