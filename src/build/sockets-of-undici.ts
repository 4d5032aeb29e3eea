// Loads only the part of undici that opens sockets. Its index also loads fetch, caches, mocks and HTTP/2, which take a tenth of a
// second at the start and a dozen megabytes of memory. A program that uses a proxy loads all of undici, because its proxy agent
// needs what the index sets up.

import type { Plugin } from 'esbuild';

/** What uses its agents, and nothing else of it. */
const USERS = /\/src\/(runtime\/client\/connection|kinds\/rollout-policy\/prometheus\/client)\.ts$/;

export const socketsOfUndici: Plugin = {
  name: 'sockets-of-undici',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      USERS.test(importer) ? { path: 'sockets', namespace: 'undici' } : undefined,
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
