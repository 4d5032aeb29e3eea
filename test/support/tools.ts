// Programs that some tests use and that are built from Go modules. Where one cannot be had, the tests are skipped and one
// line says why; with CI=true that is an error.

import type { ToolName } from '../../src/cluster/binaries/tool.ts';
import { toolForPeople } from '../../src/cluster/programs.ts';
import { describeWith } from './system-packages.ts';

/** `describe` with the path of a tool. To be awaited: the first time, building takes minutes. */
export async function describeWithTool(tool: ToolName, name: string, tests: (path: string) => void): Promise<void> {
  const path = await toolForPeople(tool).catch((error: Error) => {
    if (process.env.CI === 'true') throw error;
    return error;
  });
  if (path instanceof Error) describeWith({ ok: false, because: path.message }, name, () => tests(''));
  else describeWith({ ok: true }, name, () => tests(path));
}
