// Creating, as far as it goes without npm and a cluster; the journey test goes further.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { create, Misuse } from '../../src/create/create.ts';
import { dependencyOn } from '../../src/create/dependency.ts';
import { kindNames } from '../../src/create/names.ts';
import { edited } from '../../src/create/project.ts';
import { tutorialFiles } from './tutorial.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'create-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const words = (line: string): string[] => line.split(' ');

describe('the names of a kind', () => {
  it.each([
    [
      'Website',
      { camel: 'website', file: 'website', singular: 'website', plural: 'websites', camelPlural: 'websites' },
    ],
    [
      'ImoocPod',
      { camel: 'imoocPod', file: 'imooc-pod', singular: 'imoocpod', plural: 'imoocpods', camelPlural: 'imoocPods' },
    ],
    ['DNSProxy', { camel: 'dnsProxy', file: 'dnsproxy', plural: 'dnsproxies', camelPlural: 'dnsProxies' }],
    ['MailBox', { plural: 'mailboxes' }],
    ['Gateway', { plural: 'gateways' }],
    ['API', { camel: 'aPI', singular: 'api', plural: 'apis' }],
  ])('%s', (kind, names) => {
    expect(kindNames(kind)).toMatchObject(names);
  });

  it.each(['website', 'Web-site', 'Web site', ''])('refuses %j', (kind) => {
    expect(() => kindNames(kind)).toThrow('--kind: must be like Website or StaticSite');
  });
});

describe('create operator', () => {
  it('leaves no name of the template behind', () => {
    const { files } = create(words('operator my-sites --group web.test.io --kind MailBox --version v1'), root);
    expect(files).toContain('my-sites/src/kinds/mail-box/schema.ts');
    expect(files).toContain('my-sites/.gitignore');
    for (const path of files) {
      expect(`${path}\n${read(path)}`).not.toMatch(/static-?site|staticSite|acme|v1alpha1|example\.com/i);
    }
    expect(read('my-sites/src/kinds/mail-box/schema.ts')).toContain(
      "group: 'web.test.io',\n  version: 'v1',\n  kind: 'MailBox'",
    );
    expect(read('my-sites/src/synth.ts')).toContain("{ name: 'my-sites', kinds: KINDS");
  });

  it('is as large as the tutorial says', () => {
    const { files } = create(words('operator imooc --group batch.tutorial.kubebuilder.io --kind ImoocPod'), root);
    const lines = files.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
    const tutorial = readFileSync('docs/tutorial.md', 'utf8');
    expect(tutorial).toContain(files.map((path) => `  - ${path}\n`).join(''));
    expect(tutorial).toContain(`${files.length} files, ${lines} lines`);
    expect(tutorial).toContain(`| files that are created | ${files.length} |`);
    expect(tutorial).toContain(`| lines in them | ${lines} |`);
  });

  it('is replaced by as many lines as the tutorial says', () => {
    const lines = [...tutorialFiles().values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
    expect(readFileSync('docs/tutorial.md', 'utf8')).toMatch(
      new RegExp(`^\\| lines of the finished kind: .* \\| ${lines} \\|`, 'm'),
    );
  });

  it('asks for the versions of packages that are tested here', () => {
    create(words('operator site --group example.com --kind Website'), root);
    const ours = JSON.parse(readFileSync('package.json', 'utf8'));
    const { dependencies, devDependencies } = JSON.parse(read('site/package.json'));
    expect(dependencies).toEqual({ mydeployment: `^${ours.version}` });
    expect(ours.devDependencies).toMatchObject(devDependencies);
  });

  it.each([
    { line: 'operator Sites --group example.com --kind Website', says: 'the name of an operator must be like website' },
    {
      line: 'operator sites --group example --kind Website',
      says: '--group: must be a domain like example.com, got "example"',
    },
    { line: 'operator sites --group example.com --kind Website --version 1', says: '--version: must be like v1alpha1' },
    {
      line: 'operator sites --group sites.k8s.io --kind Website',
      says: '--group: the API server keeps k8s.io and kubernetes.io for Kubernetes itself, got sites.k8s.io',
    },
    {
      line: 'operator sites --group example.com --kind Website --plural Sites',
      says: '--plural: must be like websites, got "Sites"',
    },
    { line: 'operator sites --group example.com --kind Plan', says: 'needs the name Plan for itself' },
    { line: 'operator sites --group example.com --kind Event', says: 'needs the name events for itself' },
    { line: 'operator sites --group example.com --kind Deployment', says: 'needs the name Deployment for itself' },
    { line: 'operator sites --group example.com --kind ConfigMap', says: 'needs the name ConfigMap for itself' },
    { line: 'kind --kind Page', says: 'not in a project: create one with `mydeployment create operator' },
  ])('refuses $line', ({ line, says }) => {
    expect(() => create(words(line), root)).toThrow(says);
    expect(existsSync(join(root, 'sites'))).toBe(false);
  });

  it.each([
    { line: 'operator', says: 'NAME is missing' },
    { line: 'operator sites --kind Website', says: '--group is missing' },
    { line: 'operator sites --group example.com', says: '--kind is missing' },
    { line: 'operator sites --grp example.com', says: "Unknown option '--grp'" },
    { line: 'operator a b --group example.com --kind Website', says: 'too many words: b' },
    { line: 'controller', says: 'there is nothing to create called "controller"' },
  ])('shows the usage for: $line', ({ line, says }) => {
    const misuse = expect(() => create(words(line), root));
    misuse.toThrow(Misuse);
    misuse.toThrow(says);
  });
});

describe('in a project', () => {
  let project: string;
  const projectFile = (path: string): string => read(join('site', path));

  beforeEach(() => {
    create(words('operator site --group example.com --kind Website'), root);
    project = join(root, 'site');
  });

  it('create kind adds a folder and a line, as often as wanted', () => {
    create(words('kind --kind MailBox'), project);
    create(words('kind --kind Page --group other.io --plural pagina'), project);
    expect(projectFile('src/kinds.ts')).toContain('= [websiteKind, mailBoxKind, pageKind];');
    expect(projectFile('src/kinds.ts')).toContain("import { pageKind } from './kinds/page/kind.ts';\n");
    expect(projectFile('src/kinds/page/schema.ts')).toContain("plural: 'pagina'");
    expect(() => create(words('kind --kind Page'), project)).toThrow('there already, and not overwritten');
  });

  it('create webhook says so in the declaration of the kind', () => {
    create(words('webhook --kind Website'), project);
    const kind = projectFile('src/kinds/website/kind.ts');
    expect(kind).toContain("admission: ['mutate', 'validate']");
    expect(kind).toContain("(await import('./webhook.ts')).websiteWebhooks");
  });

  it('changes nothing where a file is not as it was created', () => {
    const path = join(project, 'src/kinds/website/kind.ts');
    const own = read('site/src/kinds/website/kind.ts').replace('admission: []', 'admission: [ ]');
    writeFileSync(path, own);
    expect(() => create(words('webhook --kind Website'), project)).toThrow(
      "src/kinds/website/kind.ts is not as it was created; please write there: admission: ['mutate', 'validate']",
    );
    expect(readFileSync(path, 'utf8')).toBe(own);
    expect(existsSync(join(project, 'src/kinds/website/webhook.ts'))).toBe(false);
  });

  it('create version needs the CRD, from which it takes the schema', () => {
    expect(() => create(words('version --kind Website --version v1'), project)).toThrow('run make generate first');
  });

  it.each(['v1', 'v1alpha1'])('create version refuses a version that is there: %s', (version) => {
    const versions = ['v1', 'v1alpha1'].map((name) => ({ name, storage: name === 'v1' }));
    mkdirSync(join(project, 'crds'));
    writeFileSync(
      join(project, 'crds/websites.yaml'),
      JSON.stringify({ spec: { names: { kind: 'Website' }, versions } }),
    );
    expect(() => create(words(`version --kind Website --version ${version}`), project)).toThrow(
      `--version: Website has ${version} already; its versions are v1, v1alpha1`,
    );
  });
});

describe('what a project asks npm for', () => {
  const home = (): string => join(root, 'npx/node_modules/mydeployment');

  function note(resolved: string): void {
    mkdirSync(home(), { recursive: true });
    const packages = { 'node_modules/mydeployment': { resolved } };
    writeFileSync(join(home(), '../.package-lock.json'), JSON.stringify({ packages }));
  }

  it('is the file that npx was given, as the project finds it', () => {
    note('file:../packed/mydeployment-0.1.0.tgz');
    expect(dependencyOn(home(), join(root, 'site'))).toBe('file:../packed/mydeployment-0.1.0.tgz');
    expect(dependencyOn(home(), join(root, 'a/b'))).toBe('file:../../packed/mydeployment-0.1.0.tgz');
  });

  it('is a release when npx was given one, and from a clone', () => {
    note('https://registry.npmjs.org/mydeployment/-/mydeployment-0.1.0.tgz');
    expect(dependencyOn(home(), join(root, 'site'))).toBeUndefined();
    expect(dependencyOn(join(root, 'clone'), join(root, 'site'))).toBeUndefined();
  });
});

describe('an edit', () => {
  it('of a file that is not there is refused by name', () => {
    expect(() => edited(root, [{ file: 'src/kinds.ts', from: 'a', to: 'b' }])).toThrow('there is no');
  });
});

describe('the program', () => {
  const start = (...args: readonly string[]) =>
    spawnSync(process.execPath, [resolve('src/cli.ts'), ...args], { cwd: root, encoding: 'utf8' });

  it('creates, and shows the usage when it does not know what', () => {
    expect(start('create', 'operator', 'site', '--group', 'example.com', '--kind', 'Website').stdout).toContain(
      '  - site/src/main.ts\n',
    );
    const { status, stderr } = start('create', 'nothing');
    expect(status).toBe(1);
    expect(stderr).toContain('error: there is nothing to create called "nothing"\nusage: mydeployment create operator');
  });

  it('is kubectl md for everything else', () => {
    const { stdout } = start('--help');
    expect(stdout).toMatch(/^usage: mydeployment create operator/);
    expect(stdout).toContain('kubectl md COMMAND [flags]');
  });

  it.each([
    ['create', '--help'],
    ['create', 'kind', '-h'],
    ['create', 'help'],
  ])('says how it goes: %s %s', (...args) => {
    expect(start(...args)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^usage: mydeployment create/) });
  });

  it.each(['run', 'generate'])('does nothing outside of a project: %s', (command) => {
    expect(start(command)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^error: not in a project: create/),
    });
  });

  it('ends when it cannot run a project, although it would have waited for Ctrl-C', () => {
    create(words('operator site --group example.com --kind Website'), root);
    const { status, stderr } = spawnSync(process.execPath, [resolve('src/cli.ts'), 'run'], {
      cwd: join(root, 'site'),
      env: { ...process.env, KUBE_VERSION: 'newest' },
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^error: KUBE_VERSION: /) });
  });
});
