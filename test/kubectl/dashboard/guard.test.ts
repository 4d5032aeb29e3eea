import { describe, expect, it } from '@jest/globals';
import { judge, type Knock } from '../../../src/kubectl/dashboard/server/guard.ts';

const gate = { port: 8090, secret: 'a-long-secret' };
const HOST = '127.0.0.1:8090';

function knock(headers: Knock['headers'] = {}, more: Partial<Knock> = {}): ReturnType<typeof judge> {
  return judge(
    { method: 'GET', url: '/a-long-secret/stream?view=overview', headers: { host: HOST, ...headers }, ...more },
    gate,
  );
}

const ORIGIN = { origin: `http://${HOST}` };

describe('the gate', () => {
  it('admits the page, under both names of loopback', () => {
    expect(knock()).toEqual({ is: 'admitted', path: '/stream?view=overview', isRead: true });
    expect(knock({ host: 'localhost:8090' })).toMatchObject({ is: 'admitted' });
    expect(knock({ ...ORIGIN, 'sec-fetch-site': 'same-origin' }, { method: 'POST' })).toMatchObject({
      is: 'admitted',
      isRead: false,
    });
  });

  it('lets a person follow a link to the page from anywhere', () => {
    expect(knock({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toMatchObject({ is: 'admitted' });
    expect(knock({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).toMatchObject({ is: 'admitted' });
  });

  it.each([
    { what: 'another host', headers: { host: 'evil.example:8090' }, status: 421 },
    { what: 'another port in the host', headers: { host: '127.0.0.1:80' }, status: 421 },
    { what: 'no host', headers: { host: '' }, status: 421 },
    { what: 'another origin', headers: { origin: 'http://evil.example' }, status: 403 },
    { what: 'the origin null of a sandboxed frame', headers: { origin: 'null' }, status: 403 },
    { what: 'another port of this machine as origin', headers: { origin: 'http://127.0.0.1:3000' }, status: 403 },
    {
      what: 'a script of another site',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      status: 403,
    },
    {
      what: 'a script of another port',
      headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      status: 403,
    },
  ])('refuses $what', ({ headers, status }) => {
    expect(knock(headers)).toMatchObject({ is: 'refused', status });
  });

  it.each([
    { what: 'a write without an origin', more: { method: 'POST' }, status: 403 },
    { what: 'other methods', more: { method: 'PUT' }, status: 405 },
    { what: 'a path without the secret', more: { url: '/' }, status: 403 },
    { what: 'a wrong secret', more: { url: '/a-long-secreT/' }, status: 403 },
    { what: 'a part of the secret', more: { url: '/a-long-secre/' }, status: 403 },
    { what: 'the secret without what follows', more: { url: '/a-long-secret' }, status: 403 },
  ])('refuses $what', ({ more, status }) => {
    expect(knock({}, more)).toMatchObject({ is: 'refused', status });
  });
});
