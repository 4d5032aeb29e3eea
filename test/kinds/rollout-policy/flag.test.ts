import { describe, expect, it } from '@jest/globals';
import { parseServers, prometheusFlag } from '../../../src/kinds/rollout-policy/prometheus/flag.ts';
import { parseFlags, usageOf } from '../../../src/runtime/operator/flags.ts';

describe('--prometheus', () => {
  it('names servers, with what they trust and how the operator signs in', () => {
    const servers = parseServers([
      'default=http://prometheus.monitoring:9090/',
      'long-term=https://thanos.example/query,ca=/ca/ca.crt,token-file=/token',
    ]);
    expect([...servers.values()]).toEqual([
      { name: 'default', url: 'http://prometheus.monitoring:9090' },
      { name: 'long-term', url: 'https://thanos.example/query', caFile: '/ca/ca.crt', tokenFile: '/token' },
    ]);
  });

  it.each([
    { value: 'http://prometheus:9090', says: 'must be NAME=URL' },
    { value: 'default', says: 'must be NAME=URL[,ca=FILE][,token-file=FILE]' },
    { value: '=http://p', says: 'no server can be called ""' },
    { value: 'Default=http://p', says: 'no server can be called "Default", use a-z, 0-9 and dashes' },
    { value: 'default=prometheus:9090', says: '"prometheus:9090" is no http or https URL' },
    { value: 'default=file:///etc/passwd', says: 'is no http or https URL' },
    { value: 'default=', says: '"" is no http or https URL' },
    { value: 'default=https://me:secret@p', says: 'the URL must not contain a password, use token-file' },
    { value: 'default=https://me@p', says: 'the URL must not contain a password, use token-file' },
    { value: 'default=https://:secret@p', says: 'the URL must not contain a password, use token-file' },
    { value: 'default=https://p/?query=up', says: 'the URL must not have a query or a fragment' },
    { value: 'default=https://p#x', says: 'the URL must not have a query or a fragment' },
    { value: 'default=https://p,insecure=true', says: 'there is no option "insecure", only ca and token-file' },
    { value: 'default=https://p,ca', says: 'ca needs a file' },
    { value: 'default=https://p,ca=', says: 'ca needs a file' },
    { value: 'default=https://p,ca=/a,ca=/b', says: 'ca is given twice' },
    { value: 'default=https://p,ca=/a,token-file=/t,ca=/b,token-file=/u', says: 'ca is given twice' },
    { value: 'default=http://p,token-file=/t', says: 'ca and token-file need an https URL' },
  ])('refuses $value', ({ value, says }) => {
    const parse = () => parseFlags(['--prometheus', value], [], [prometheusFlag]);
    expect(parse).toThrow(`--prometheus: `);
    expect(parse).toThrow(says);
    expect(parse).toThrow(`got ${JSON.stringify(value)}`);
  });

  it('refuses two servers of one name', () => {
    const args = ['--prometheus=a=http://p', '--prometheus=a=http://q'];
    expect(() => parseFlags(args, [], [prometheusFlag])).toThrow('--prometheus: there are two servers called "a"');
  });

  it('is in the usage, and its values are handed on', () => {
    expect(usageOf([prometheusFlag])).toMatch(
      /^ {2}--prometheus NAME=URL\[,ca=FILE\]\[,token-file=FILE\] {2}a Prometheus server/m,
    );
    const args = ['--prometheus', 'a=http://p', '--prometheus=b=http://q'];
    expect(parseFlags(args, [], [prometheusFlag]).ofKinds).toEqual({ prometheus: ['a=http://p', 'b=http://q'] });
    expect(parseFlags([], [], [prometheusFlag]).ofKinds).toEqual({ prometheus: [] });
    expect(() => parseFlags(args, [])).toThrow("Unknown option '--prometheus'");
  });
});
