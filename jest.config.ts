// Jest runs in ESM mode because client-node is ESM only; swc strips the types, and `npm run typecheck` checks them.
// Four projects: `unit` needs nothing but Node, `image` builds the image from what npm and Debian serve, `cluster` gets a real
// control plane that all its files share, and each file of `node` has a cluster with a real node, where the machine can run one.

import type { Config } from 'jest';

const shared = {
  // Data of embedded clusters and built files, which look like snapshots and packages of ours.
  modulePathIgnorePatterns: ['<rootDir>/.cluster/', '<rootDir>/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
} satisfies Partial<Config>;

const config: Config = {
  // Cluster tests mostly wait: the core that Jest leaves to its parent process would go unused.
  maxWorkers: '100%',
  globalSetup: '<rootDir>/test/support/temporary-folder.ts',
  globalTeardown: '<rootDir>/test/support/remove-temporary-folder.ts',
  testSequencer: '<rootDir>/test/support/long-first.ts',
  reporters: ['default', '<rootDir>/test/support/tally-reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(cluster|image|node)\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'image',
      testMatch: ['<rootDir>/test/**/*.image.test.ts'],
    },
    {
      ...shared,
      displayName: 'cluster',
      testMatch: ['<rootDir>/test/**/*.cluster.test.ts'],
      globalSetup: '<rootDir>/src/testing/setup.ts',
      globalTeardown: '<rootDir>/src/testing/teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/cluster-timeout.ts'],
    },
    {
      ...shared,
      displayName: 'node',
      testMatch: ['<rootDir>/test/node/*.node.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/cluster-timeout.ts'],
    },
  ],
  testTimeout: 30_000,
};

export default config;
