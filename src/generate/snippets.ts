// Runs the TypeScript of a documentation page and writes what it synthesizes into the page: every `ts` block that is followed by
// a `yaml` block is the body of a chart, and the YAML is its manifest. So the YAML of a page is always what its code makes.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A `ts` block, and the `yaml` block right after it. */
const PAIR = /```ts\n([\s\S]*?)```\n\n```yaml\n[\s\S]*?```/g;

/** The page with the YAML of every snippet made anew. */
export function withFreshYaml(page: string): string {
  const snippets = [...page.matchAll(PAIR)].map(([, code = '']) => code);
  if (snippets.length === 0) return page;
  const yaml = synthesize(snippets);
  return page.replaceAll(PAIR, (_, code: string) => `\`\`\`ts\n${code}\`\`\`\n\n\`\`\`yaml\n${yaml.shift()}\`\`\``);
}

/** Runs all snippets in one process, because loading cdk8s takes longer than running them. */
function synthesize(snippets: readonly string[]): string[] {
  // Inside the repository, so that imports of packages resolve.
  const folder = mkdtempSync(join('node_modules', '.snippets-'));
  try {
    for (const [index, code] of snippets.entries()) writeFileSync(join(folder, `${index}.ts`), moduleOf(code));
    const files = snippets.map((_, index) => `./${index}.ts`);
    const main = `const yaml = [];
for (const file of ${JSON.stringify(files)}) yaml.push((await import(file)).app.synthYaml());
process.stdout.write(JSON.stringify(yaml));`;
    writeFileSync(join(folder, 'main.mts'), main);
    const tsx = resolve('node_modules/tsx/dist/cli.mjs');
    return JSON.parse(execFileSync(process.execPath, [tsx, join(folder, 'main.mts')], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports may stand anywhere in a module, so a snippet can bring its own. */
function moduleOf(code: string): string {
  return `import { App, Chart } from 'cdk8s';
export const app = new App();
const chart = new Chart(app, 'chart');
${code.replaceAll("'mydeployment'", JSON.stringify(resolve('src/index.ts')))}`;
}
