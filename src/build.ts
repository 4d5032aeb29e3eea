// `npm run build`: the library that other cdk8s apps import, into dist/esm and dist/cjs; `npm run bundle`: a program, the
// operator unless another is named, in one file for the image. `kubectl md` comes with the library, into dist/kubectl-md.

import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildBundle } from './build/bundle.ts';
import { buildLibrary } from './build/library.ts';
import { buildPlugin } from './build/plugin.ts';

const USAGE = `usage: build library [--out FOLDER]
       build bundle [--entry FILE] [--out FILE]
       build plugin [--out FOLDER]
`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { entry: { type: 'string', default: 'src/main.ts' }, out: { type: 'string' } },
  });
  switch (positionals.join(' ')) {
    case 'library': {
      const { out = 'dist' } = values;
      await buildLibrary(out);
      console.log(`  - ${out}/esm\n  - ${out}/cjs`);
      return;
    }
    case 'bundle': {
      const { out = 'dist/operator.mjs' } = values;
      await buildBundle(values.entry, out);
      console.log(`  - ${out} (${(statSync(out).size / 2 ** 20).toFixed(1)} MiB)`);
      return;
    }
    case 'plugin': {
      const { out = 'dist/kubectl-md' } = values;
      await buildPlugin(out);
      console.log(`  - ${out}/main.js`);
      return;
    }
    default:
      process.stderr.write(USAGE);
      process.exitCode = 1;
  }
}

await main();
