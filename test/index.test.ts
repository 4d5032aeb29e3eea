import { describe, expect, it } from '@jest/globals';
import * as library from '../src/index.ts';
import { importsOf, readSources, runsWith, type SourceTree } from './support/source-tree.ts';

const sources = readSources('src');

/** The packages that are loaded when src/index.ts is. */
function packagesLoaded(tree: SourceTree): string[] {
  const files = [...runsWith('src/index.ts', tree)];
  const imports = files.flatMap((path) => importsOf(path, tree.get(path) as string));
  const packages = imports.filter(({ target, typeOnly }) => !typeOnly && !target.startsWith('src/'));
  return [...new Set(packages.map(({ target }) => target))].sort();
}

/** What runs in the operator and is loaded when src/index.ts is. */
function operatorLoaded(tree: SourceTree): string[] {
  const runs =
    /^src\/(main\.ts|runtime\/(cache|certificates|client|controller|manager|operator|queue|server)\/)|\/controller\.ts$/;
  return [...runsWith('src/index.ts', tree)].filter((path) => runs.test(path));
}

describe('the library', () => {
  it('exports constructs', () => {
    expect(Object.keys(library).sort()).toEqual([
      'Collector',
      'CustomResourceDefinition',
      'ImoocPod',
      'InstallationChart',
      'KubeMyDeployment',
      'ModelBox',
      'MyDaemonSet',
      'MyDeployment',
      'OperatorAlerts',
      'OperatorChart',
      'OperatorDashboard',
      'RolloutGate',
      'RolloutPolicy',
      'kubeMyDeployment',
    ]);
    expect(library.kubeMyDeployment.KubeMyDeployment).toBe(library.KubeMyDeployment);
  });

  it('loads nothing but cdk8s, and nothing that runs in the operator', () => {
    expect(packagesLoaded(sources)).toEqual(['cdk8s', 'cdk8s-plus-27', 'constructs']);
    expect(operatorLoaded(sources)).toEqual([]);
  });

  it('would be caught loading a client or the operator', () => {
    const names = 'src/kinds/my-deployment/names.ts';
    const planted = new Map(sources).set(names, "import { Connection } from '../../runtime/client/connection.ts';");
    expect(packagesLoaded(planted)).toContain('undici');
    expect(operatorLoaded(planted)).toContain('src/runtime/client/connection.ts');
  });
});
