import { describe, expect, it } from '@jest/globals';
import { isLoopback, parseAddress } from '../../../src/runtime/server/address.ts';

describe('an address to listen on', () => {
  it.each([
    { text: ':8080', address: { port: 8080 }, loopback: false },
    { text: '0.0.0.0:8080', address: { host: '0.0.0.0', port: 8080 }, loopback: false },
    { text: '127.0.0.1:8080', address: { host: '127.0.0.1', port: 8080 }, loopback: true },
    { text: '127.8.8.8:0', address: { host: '127.8.8.8', port: 0 }, loopback: true },
    { text: '10.1.2.3:443', address: { host: '10.1.2.3', port: 443 }, loopback: false },
    { text: 'localhost:65535', address: { host: 'localhost', port: 65535 }, loopback: true },
    { text: '[::1]:8080', address: { host: '::1', port: 8080 }, loopback: true },
    { text: '[::]:8080', address: { host: '::', port: 8080 }, loopback: false },
    { text: 'metrics.example:80', address: { host: 'metrics.example', port: 80 }, loopback: false },
  ])('$text', ({ text, address, loopback }) => {
    expect(parseAddress(text)).toEqual(address);
    expect(isLoopback(address)).toBe(loopback);
  });

  it.each(['0', ''])('"%s" means none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it.each(['8080', ':', ':http', ':65536', ':-1', '::1:8080', '[localhost]:80', '[::1]', 'a b', '127.0.0.1'])(
    '"%s" is refused',
    (text) => {
      expect(() => parseAddress(text)).toThrow(`"${text}" is no address to listen on`);
    },
  );
});
