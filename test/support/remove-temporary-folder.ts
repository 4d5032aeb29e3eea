// Jest's globalTeardown for all tests.

export { remove as default } from './temporary-folder.ts';
