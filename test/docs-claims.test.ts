// The tables of the documentation are held against the code they speak of: a flag, field, metric, alert or command that comes,
// goes or is renamed has to do so on its page, too.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { App, Chart, Yaml } from 'cdk8s';
import {
  cleanUpUnhealthy,
  growUpdate,
  maxScaledDown,
  scaleDown,
  spareAvailable,
} from '../src/kinds/my-deployment/plan/rolling.ts';
import { myDeployment } from '../src/kinds/my-deployment/schema.ts';
import { commands, globalFlags } from '../src/kubectl/commands.ts';
import { alertRules } from '../src/operator/alert-rules.ts';
import { OperatorAlerts } from '../src/operator/alerts.ts';
import { operatorDashboard } from '../src/operator/dashboard.ts';
import type { Schema } from '../src/runtime/custom-resource.ts';
import { USAGE } from '../src/runtime/operator/flags.ts';
import { everyFamily } from './operator/all-metrics.ts';

const page = (name: string): string => readFileSync(`docs/${name}.md`, 'utf8');

/** The cells of every table row below a heading, up to the next heading of any level. */
function rowsBelow(text: string, heading: string): string[][] {
  const [, rest = ''] = text.split(`\n${heading}\n`);
  const [section = ''] = rest.split(/^#+ /m);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.replaceAll('\\|', '|').trim()),
  );
  return cells.filter(([first = '']) => !/^-+$/.test(first)).slice(1);
}

const code = (text: string | undefined): string => /`([^`]*)`/.exec(text ?? '')?.[1] ?? '';

/** Paths of a schema down to these objects; what is below any other is not looked at. */
function fieldsOf({ properties = {} }: Schema, opened: readonly string[], prefix = ''): string[] {
  return Object.entries(properties as Record<string, Schema>).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    if (!opened.includes(path)) return [path];
    return [...(path === 'selector' ? [path] : []), ...fieldsOf(schema, opened, `${path}.`)];
  });
}

describe('docs/operations.md', () => {
  const text = page('operations');

  it('has every flag, with its words and its default', () => {
    const written = rowsBelow(text, '## Flags').map(([flag, what, value]) => [code(flag), what, value]);
    const flags = [...USAGE.matchAll(/^ {2}(--.*?) {2,}(.*?)(?: \(default:? (.*)\))?$/gm)];
    expect(written).toEqual(flags.map(([, flag, what, value = '']) => [flag, what, value]));
  });

  it('has every metric that is exported, with its labels', async () => {
    const written = rowsBelow(text, '## Metrics').map(([name, labels = '']) => [
      code(name),
      labels.split(', ').filter(Boolean).sort(),
    ]);
    const families = [...(await everyFamily())].filter(([name]) => !/^(process|nodejs)_/.test(name));
    const exported = families.map(([name, { labels }]) => [name, [...labels]]);
    const byName = ([one]: unknown[], [other]: unknown[]): number => (String(one) < String(other) ? -1 : 1);
    expect(written.sort(byName)).toEqual(exported.sort(byName));
  });

  it('has every alert, with its severity and patience', () => {
    const written = rowsBelow(text, '## Alerts').map(([name, severity, lasting]) => [code(name), severity, lasting]);
    expect(written).toEqual(alertRules('').map(({ alert, labels, for: lasting }) => [alert, labels.severity, lasting]));
  });

  it('comes with the alerts and the dashboard as they are', () => {
    const alerts = new OperatorAlerts(new Chart(new App(), 'chart'), 'alerts');
    expect(readFileSync('docs/monitoring/alerts.yaml', 'utf8')).toBe(Yaml.stringify(alerts.toJson()));
    expect(JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8'))).toEqual(operatorDashboard());
  });
});

describe('docs/install.md', () => {
  it('has every prop of OperatorChart', () => {
    const source = readFileSync('src/operator/props.ts', 'utf8');
    const [, body = ''] = /interface OperatorProps \{(.*?)\n\}/s.exec(source) ?? [];
    const props = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
    expect(rowsBelow(page('install'), '## With cdk8s').map(([name]) => code(name))).toEqual(props);
  });
});

/** Where the reasons are that all kinds with pods share. */
const FAILURES = '../../workload/replica-failure';

describe('docs/my-deployment.md', () => {
  const text = page('my-deployment');

  it('has every field of the spec, and no other', () => {
    const fields = fieldsOf(myDeployment.spec, ['selector', 'strategy', 'strategy.rollingUpdate']);
    expect(rowsBelow(text, '## Spec').map(([name]) => code(name))).toEqual(fields);
  });

  it('has every field of the status, and no other', () => {
    expect(rowsBelow(text, '## Status').map(([name]) => code(name))).toEqual(fieldsOf(myDeployment.status, []));
  });

  it.each([
    { heading: '### Conditions', column: 2, files: ['plan/progress', 'plan/reconciling', 'plan/status', FAILURES] },
    {
      heading: '## Events',
      column: 1,
      files: ['plan/record-sizes', 'plan/rollback', 'plan/plan', '../../workload/report', FAILURES],
    },
  ])('has every reason that the sources know, below $heading', ({ heading, column, files }) => {
    const read = (path: string) => readFileSync(`src/${path}.ts`, 'utf8');
    const sources = files.map((file) => read(`kinds/my-deployment/${file}`)).join('\n');
    const failures = ['pod-writes', 'claim'].map((file) => read(`workload/${file}`)).join('\n');
    const said = new Set([
      ...(sources.match(/(?<=')[A-Z][a-z]+(?:[A-Z][a-z]+)+(?=')/g) ?? []),
      ...(failures.match(/(?<=')Failed[A-Z][a-z]+(?=')/g) ?? []),
    ]);
    for (const word of ['RollingUpdate', 'ReplicaFailure', 'MyDeployment']) said.delete(word);
    const written = rowsBelow(text, heading).flatMap((row) =>
      [...(row[column] ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word),
    );
    expect([...new Set(written)].sort()).toEqual([...said].sort());
  });
});

describe('docs/runtime.md', () => {
  it('has the example as it is run by its test', () => {
    expect(page('runtime')).toContain(
      `\`\`\`ts\n${readFileSync('src/runtime/example/config-copy.ts', 'utf8')}\`\`\`\n`,
    );
  });
});

describe('docs/architecture.md', () => {
  it.each([
    ['## One pod event, file by file', 16],
    ['## One `kubectl apply`, file by file', 12],
  ])('walks through files that exist: %s', (heading, steps) => {
    const rows = rowsBelow(page('architecture'), heading);
    expect(rows.map(([step]) => Number(step))).toEqual(Array.from({ length: steps }, (_, index) => index + 1));
    const files = rows.flatMap((row) => row.join(' ').match(/src\/[\w/.-]+\.ts/g) ?? []);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(files.length).toBeGreaterThanOrEqual(steps);
  });

  it('computes the rollout in numbers as the operator does', () => {
    const limits = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };
    const rows = rowsBelow(page('architecture'), '## A rollout in numbers').map((row) => row.map(Number));
    const computed = rows.map(([step = 0, old = 0, oldAvailable = 0, update = 0, updateAvailable = 0]) => {
      const oldNow = { desired: old, available: oldAvailable };
      const updateNow = { desired: update, available: updateAvailable };
      const spare = spareAvailable(limits, [oldNow, updateNow]);
      const healthy = cleanUpUnhealthy([oldNow], maxScaledDown(limits, updateNow, [oldNow]));
      const left = scaleDown(healthy, spare)[0]?.desired ?? 0;
      return [step, old, oldAvailable, update, updateAvailable, spare, left, growUpdate(limits, update, left)];
    });
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(computed);
    // Each step begins where the one before ended.
    expect(rows.slice(1).map(([, old, , update]) => [old, update])).toEqual(
      rows.slice(0, -1).map(([, , , , , , old, update]) => [old, update]),
    );
  });
});

describe('docs/kubectl-md.md', () => {
  const text = page('kubectl-md');

  it('has every command, with its words', () => {
    const written = rowsBelow(text, '## Commands').map(([name, what]) => [code(name), what]);
    expect(written).toEqual(
      commands.map(({ path, usage, summary }) => [[...path, usage].filter(Boolean).join(' '), summary]),
    );
  });

  it('has every flag', () => {
    const flags = [...globalFlags, ...commands.flatMap((command) => command.flags)];
    const spelled = flags.flatMap(({ name, short }) => [`\`--${name}\``, ...(short ? [`\`-${short}\``] : [])]);
    expect(spelled.filter((flag) => !text.includes(flag))).toEqual([]);
  });
});

describe('SECURITY.md', () => {
  const written = rowsBelow(readFileSync('SECURITY.md', 'utf8'), "## How powerful the operator's token is");
  const told = written.flatMap(([on = '']) => [...on.matchAll(/`([^`]*)`/g)].map(([, name]) => name));

  interface Role {
    readonly kind: string;
    readonly rules?: readonly { readonly apiGroups?: string[]; readonly resources?: string[] }[];
  }

  /** What is granted to the operator's account, without subresources; the roles of people are in another file. */
  function granted(): string[] {
    const files = ['manifests/1-access.yaml', 'manifests/3-certificates.yaml'];
    const roles = files.flatMap((file) => Yaml.load(file) as Role[]).filter(({ kind }) => /Role$/.test(kind));
    const rules = roles.flatMap(({ rules: each = [] }) => each);
    const resources = rules.flatMap(({ apiGroups: [group = ''] = [], resources: names = [] }) =>
      names.map((name) => (group === 'apps' ? `${name}.${group}` : name)),
    );
    return [...new Set(resources.filter((name) => !name.includes('/')))].sort();
  }

  it('names everything that the operator has a right to', () => {
    expect([...told].sort()).toEqual(granted());
  });
});
