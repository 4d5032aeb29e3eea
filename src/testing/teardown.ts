// Jest's globalTeardown: it wants a module of its own.

export { globalTeardown as default } from './setup.ts';
