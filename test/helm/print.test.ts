import { expect, it } from '@jest/globals';
import type { Profile } from '../../src/helm/condition.ts';
import { type Json, type Merged, merge } from '../../src/helm/merge.ts';
import { printFields } from '../../src/helm/print.ts';

const plain: Profile = {
  kinds: ['MyDeployment'],
  webhooks: false,
  certManager: false,
  namespaces: false,
  serviceMonitor: false,
  defaultSpread: true,
  shards: false,
};
const hooked: Profile = { ...plain, webhooks: true };

/** The template of an object that is one thing without webhooks and another with them. */
function templateOf(without: Json, withWebhooks: Json): string {
  const [{ node, present } = { node: undefined, present: new Set<Profile>() }] = merge([
    { profile: plain, value: without },
    { profile: hooked, value: withWebhooks },
  ]);
  const { fields } = node as Extract<Merged, { type: 'map' }>;
  const expression = (text: string): string | undefined => (text === 'PLACEHOLDER' ? '{{ value }}' : undefined);
  const fillers = new Map([['spec.replicas', (indent: string) => [`${indent}replicas: {{ $.Values.replicas }}`]]]);
  return printFields(fields, present, { fillers, expression }).join('\n');
}

it.each<{ what: string; without: Json; withWebhooks: Json; template: string }>([
  {
    what: 'a field that both have is printed once',
    without: { a: 1, b: 'true' },
    withWebhooks: { a: 1, b: 'true' },
    template: 'a: 1\nb: "true"',
  },
  {
    what: 'neighbours with one condition share it',
    without: { a: 1 },
    withWebhooks: { a: 1, b: 2, c: 3 },
    template: 'a: 1\n{{- if $.Values.webhooks }}\nb: 2\nc: 3\n{{- end }}',
  },
  {
    what: 'a value that differs has a condition for each',
    without: { a: 1 },
    withWebhooks: { a: 2 },
    template: '{{- if not $.Values.webhooks }}\na: 1\n{{- end }}\n{{- if $.Values.webhooks }}\na: 2\n{{- end }}',
  },
  {
    what: 'items of a list are known by their names',
    without: { list: [{ name: 'x', a: 1 }] },
    withWebhooks: { list: [{ name: 'w' }, { name: 'x', a: 1, b: 2 }] },
    template: [
      'list:',
      '  {{- if $.Values.webhooks }}',
      '  - name: w',
      '  {{- end }}',
      '  - name: x',
      '    a: 1',
      '    {{- if $.Values.webhooks }}',
      '    b: 2',
      '    {{- end }}',
    ].join('\n'),
  },
  {
    what: 'an empty map or list is printed, and told from one with fields',
    without: { a: {}, list: [] },
    withWebhooks: { a: {}, list: ['x'] },
    template:
      'a: {}\n{{- if not $.Values.webhooks }}\nlist: []\n{{- end }}\n{{- if $.Values.webhooks }}\nlist:\n  - x\n{{- end }}',
  },
  {
    what: 'values go where placeholders are, and where fillers say',
    without: { spec: { replicas: 2, image: 'PLACEHOLDER' } },
    withWebhooks: { spec: { replicas: 2, image: 'PLACEHOLDER' } },
    template: 'spec:\n  replicas: {{ $.Values.replicas }}\n  image: {{ value }}',
  },
])('$what', ({ without, withWebhooks, template }) => {
  expect(templateOf(without, withWebhooks)).toBe(template);
});
