// Loads of undici only what opens sockets: its index loads fetch, caches and mocks as well, and its client HTTP/2, which
// together are a tenth of a second at the start and a dozen megabytes for good. Who goes through a proxy loads all of it,
// for a proxy is asked through an interface that the index completes.

import type { Plugin } from 'esbuild';

export const socketsOfUndici: Plugin = {
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
