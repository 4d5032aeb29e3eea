// Reads test cases in the format of Argo CD's resource_customizations: health_test.yaml beside a health.lua, action_test.yaml
// beside a discovery.lua, both with paths of objects in testdata/.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export const CUSTOMIZATIONS = 'ecosystem/argo-cd/resource_customizations';

export interface HealthStatus {
  readonly status: 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended';
  readonly message: string;
}

export interface OfferedAction {
  readonly name: string;
  readonly disabled?: boolean;
}

/** A script, the object that it is given, and what Argo CD has to make of its answer. */
export interface Case<Expected> {
  readonly name: string;
  readonly script: string;
  readonly object: object;
  readonly expected: Expected;
}

interface HealthTests {
  readonly tests: readonly { readonly inputPath: string; readonly healthStatus: HealthStatus }[];
}

interface ActionTests {
  readonly discoveryTests: readonly { readonly inputPath: string; readonly result: readonly OfferedAction[] }[];
  readonly actionTests: readonly {
    readonly action: string;
    readonly inputPath: string;
    readonly expectedOutputPath: string;
  }[];
}

export function healthCases(): Case<HealthStatus>[] {
  return readTests<HealthTests>('*/*/health_test.yaml').flatMap(({ folder, content }) =>
    content.tests.map(({ inputPath, healthStatus }) => ({
      name: join(folder, inputPath),
      script: textOf(folder, 'health.lua'),
      object: objectAt(folder, inputPath),
      expected: healthStatus,
    })),
  );
}

export function discoveryCases(): Case<readonly OfferedAction[]>[] {
  return readTests<ActionTests>('*/*/actions/action_test.yaml').flatMap(({ folder, content }) =>
    content.discoveryTests.map(({ inputPath, result }) => ({
      name: join(folder, inputPath),
      script: textOf(folder, 'discovery.lua'),
      object: objectAt(folder, inputPath),
      expected: result,
    })),
  );
}

export function actionCases(): Case<object>[] {
  return readTests<ActionTests>('*/*/actions/action_test.yaml').flatMap(({ folder, content }) =>
    content.actionTests.map(({ action, inputPath, expectedOutputPath }) => ({
      name: `${action} ${join(folder, inputPath)}`,
      script: textOf(folder, `${action}/action.lua`),
      object: objectAt(folder, inputPath),
      expected: objectAt(folder, expectedOutputPath),
    })),
  );
}

function readTests<Tests>(pattern: string): { folder: string; content: Tests }[] {
  const paths = globSync(pattern, { cwd: CUSTOMIZATIONS }).sort();
  return paths.map((path) => ({
    folder: dirname(path),
    content: parse(readFileSync(join(CUSTOMIZATIONS, path), 'utf8')) as Tests,
  }));
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(CUSTOMIZATIONS, folder, path), 'utf8');
}

function objectAt(folder: string, path: string): object {
  return parse(textOf(folder, path)) as object;
}
