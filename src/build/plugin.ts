// Bundles `kubectl md` for people who install the package. Whoever types a command waits for its start, so what few need
// is loaded on demand: OpenID Connect, HTTP/2, all of undici but its sockets. Our own commands are one file: finding and
// reading many small ones takes longer than passing over what is not called.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { REQUIRE } from './bundle.ts';

/** Writes `main.js` and its chunks into `outdir`. */
export async function buildPlugin(outdir: string): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['src/kubectl/main.ts'],
    outdir,
    format: 'esm',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    banner: { js: REQUIRE },
    // As an ES module: a CommonJS one that is imported on demand loses the names of its exports when chunks are split.
    alias: { yaml: './node_modules/yaml/browser/index.js' },
    plugins: [socketsOfUndici],
    logLevel: 'warning',
  });
  // Otherwise Node looks for one in every folder above, and finding none, reads each file twice to tell what it is.
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}

/**
 * Loads of undici only what opens sockets: its index loads fetch, caches and mocks as well, and its client HTTP/2. Who goes
 * through a proxy loads all of it, for a proxy is asked through an interface that the index completes.
 */
const socketsOfUndici: Plugin = {
  name: 'sockets-of-undici',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.endsWith('/src/runtime/client/connection.ts') ? { path: 'sockets', namespace: 'undici' } : undefined,
    );
    onLoad({ filter: /^sockets$/, namespace: 'undici' }, () => ({
      contents: `module.exports = {
        Agent: require('./lib/dispatcher/agent.js'),
        get ProxyAgent() { return require('./index.js').ProxyAgent; },
      };`,
      resolveDir: 'node_modules/undici',
    }));
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, ({ suffix }) =>
      suffix === ''
        ? { contents: `module.exports = (...args) => require('./client-h2.js?used')(...args);` }
        : undefined,
    );
  },
};
