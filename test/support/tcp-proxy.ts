// Where tests find the network that fails on demand: it is part of what operators of other people test with.

export { TcpProxy } from '../../src/testing/index.ts';
