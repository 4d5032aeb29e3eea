// The tables of the documentation are held against the code they speak of: a flag, field, metric, alert or command that comes,
// goes or is renamed has to do so on its page, too.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { App, Chart, Yaml } from 'cdk8s';
import { parse } from 'yaml';
import { KINDS } from '../src/kinds/kinds.ts';
import {
  cleanUpUnhealthy,
  growUpdate,
  maxScaledDown,
  scaleDown,
  spareAvailable,
} from '../src/kinds/my-deployment/plan/rolling.ts';
import { myDeployment } from '../src/kinds/my-deployment/schema.ts';
import { parseCommandLine } from '../src/kubectl/arguments.ts';
import { commands, globalFlags } from '../src/kubectl/commands.ts';
import { alertRules } from '../src/operator/alert-rules.ts';
import { OperatorAlerts } from '../src/operator/alerts.ts';
import { operatorDashboard } from '../src/operator/dashboard.ts';
import { REVISION_REJECTED } from '../src/policy/conditions.ts';
import type { Schema } from '../src/runtime/custom-resource.ts';
import type { Kind } from '../src/runtime/kind.ts';
import { usageOf } from '../src/runtime/operator/flags.ts';
import { PART_NAMES } from './chaos/options.ts';
import { plantedBugs } from './chaos/planted/bugs.ts';
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
    const kindFlags = Object.values<Kind>(KINDS).flatMap(({ flags: own = [] }) => own);
    const flags = [...usageOf(kindFlags).matchAll(/^ {2}(--.*?) {2,}(.*?)(?: \(default:? (.*)\))?$/gm)];
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

describe('docs/rollout-policy.md', () => {
  it('has every event that the sources know', () => {
    const sources = ['attempt', 'requests'].map((file) =>
      readFileSync(`src/kinds/my-deployment/plan/${file}.ts`, 'utf8'),
    );
    const said = sources.join('\n').match(/(?<=')(?:Step|Request|Revision)[A-Z][a-z]+(?=')/g) ?? [];
    const written = rowsBelow(page('rollout-policy'), '## Events').map((row) => code(row[1] ?? ''));
    expect(written.sort()).toEqual([...new Set([...said, REVISION_REJECTED])].sort());
  });
});

describe('docs/runtime.md', () => {
  it('has the example as it is run by its test', () => {
    expect(page('runtime')).toContain(
      `\`\`\`ts\n${readFileSync('src/runtime/example/config-copy.ts', 'utf8')}\`\`\`\n`,
    );
  });
});

describe('docs/fault-campaign.md', () => {
  it('has every planted defect, with what it took to catch it', () => {
    const rows = rowsBelow(page('fault-campaign'), '### Planted defects');
    expect(rows.map(([name]) => name)).toEqual(plantedBugs.map(({ name }) => name));
    for (const row of rows)
      expect(row).toEqual([row[0], expect.stringMatching(/^[\d,]+$/), expect.stringMatching(/ s$/)]);
  });

  it('has every part', () => {
    expect(rowsBelow(page('fault-campaign'), '## The parts').map(([part]) => code(part))).toEqual(PART_NAMES);
    expect(PART_NAMES).toEqual(
      expect.arrayContaining(rowsBelow(page('fault-campaign'), '## Figures').map(([part]) => part)),
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

describe('docs/ecosystem.md', () => {
  const snippets = [...page('ecosystem').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text));
  const { group, version, kind, plural } = myDeployment.resource;
  const apiVersion = `${group}/${version}`;

  /** Every object at any depth of a value. */
  function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
    if (typeof value !== 'object' || value === null) return [];
    const own = Array.isArray(value) ? [] : [value as Readonly<Record<string, unknown>>];
    return [...own, ...Object.values(value).flatMap(objectsIn)];
  }
  const objects = snippets.flatMap(objectsIn);

  it('names the kind as the CRD does', () => {
    const targets = objects.filter((each) => each.kind === kind);
    expect(targets.map((each) => each.apiVersion)).toEqual([apiVersion, apiVersion, apiVersion]);
    expect(objects).toContainEqual({ group, apiVersion: version, plural });
  });

  it('shows columns that the CRD has', () => {
    const views = objects.flatMap((each) => (each.views === undefined ? [] : [each.views as object]));
    const columns = myDeployment.columns.map(({ name }) => name.toUpperCase());
    const written = views.flatMap((view) => Object.entries(view as Record<string, { readonly columns: string[] }>));
    expect(written.map(([name]) => name)).toEqual([`${apiVersion}/${plural}`]);
    const shown = written.flatMap(([, view]) => view.columns);
    expect(shown.filter((column) => !['NAMESPACE', 'NAME', ...columns].includes(column))).toEqual([]);
  });

  it('calls commands and flags that kubectl md has', () => {
    const plugins = objects.filter((each) => each.shortCut !== undefined) as {
      readonly command: string;
      readonly args: readonly string[];
    }[];
    const lines = plugins.map(({ command, args }) =>
      command === 'sh' ? (args[1] ?? '').split(' | ')[0]?.split(' ') : [command, ...args],
    );
    expect(lines).toHaveLength(3);
    for (const [program, md, ...rest] of lines as string[][]) {
      expect([program, md]).toEqual(['kubectl', 'md']);
      const parsed = parseCommandLine(rest.map((arg) => (arg.startsWith('$') ? 'x' : arg)));
      expect(parsed).toMatchObject({ args: ['x'] });
    }
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

describe('the pages for operators of other people', () => {
  const compiled = globSync(['templates/**/*.ts', 'src/runtime/**/*.ts']).map((file) => readFileSync(file, 'utf8'));

  it.each(['runtime', 'testing'])('docs/%s.md shows code that is compiled and run', (name) => {
    const blocks = [...page(name).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code.trim());
    expect(blocks.length).toBeGreaterThan(2);
    const contract = /^type Reconcile = /;
    const invented = blocks.filter((code) => !contract.test(code) && !compiled.some((file) => file.includes(code)));
    expect(invented).toEqual([]);
  });
});
