// Where tests, benchmark and campaign find what needs nothing but a client: it is part of what operators of other people test with.

export { createNamespace, podsAreWelcome, requestToken } from '../../src/testing/namespace.ts';
