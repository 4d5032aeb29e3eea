import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drift, type Files, generateAnew, generatedFiles } from './support/generated-files.ts';

/** A generator is several programs, one after the other. */
const PATIENCE_MS = 180_000;

describe('generated files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  let fresh: Files;

  beforeAll(async () => {
    fresh = await generateAnew(folder);
  }, PATIENCE_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can be made from a tree that has none of them', () => {
    expect([...fresh.keys()]).toEqual(
      expect.arrayContaining([
        'charts/mydeployment/crds/mydeployments.yaml',
        'charts/mydeployment/templates/manager.yaml',
        'crds/mydeployments.yaml',
        'manifests/1-access.yaml',
        'src/kinds/my-deployment/imports.gen.ts',
        'src/kinds/my-deployment/types.gen.ts',
      ]),
    );
  });

  it('are committed as they are generated, byte for byte', () => {
    expect(drift(generatedFiles('.'), fresh)).toEqual([]);
  });

  it('are named when they were edited, forgotten or left behind', () => {
    const [edited = '', forgotten = ''] = fresh.keys();
    const committed = new Map(fresh).set(edited, `${fresh.get(edited)} `).set('crds/stale.yaml', '');
    committed.delete(forgotten);
    const said = [
      `${edited} is out of date: run \`make generate\` and commit it`,
      'crds/stale.yaml is no longer generated: delete it',
      `${forgotten} is missing: run \`make generate\` and commit it`,
    ];
    expect(drift(committed, fresh).sort()).toEqual(said.sort());
  });
});
