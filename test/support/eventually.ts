// Where tests find `eventually`: it is part of what operators of other people test with.

export { eventually } from '../../src/testing/index.ts';
