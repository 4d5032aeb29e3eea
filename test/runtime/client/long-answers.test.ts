// Answers that are longer than anybody can read, or that never end. Of a refusal what is kept is short and says the same; an
// object that is too long is not read to its end.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '../../../src/runtime/client/client.ts';
import { AnswerTooLong, ApiError } from '../../../src/runtime/errors.ts';
import { configMaps, pods } from './fixtures.ts';
import { type Answer, json, line, ScriptedServer, status, stream } from './scripted-server.ts';

const web = { namespace: 'default', name: 'web' };

let server: ScriptedServer;
let client: Client;
beforeEach(async () => {
  server = await ScriptedServer.start();
  client = createClient(server.connection(), { retry: { attempts: 1 } });
});
afterEach(() => server.close());

async function refusalOf(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error(`not refused: ${error}`);
}

/** As Pod Security words it: every container, four times over. */
const LONG = `pods "web" is forbidden: violates PodSecurity "restricted:latest": ${'container "x", '.repeat(45_000)}`;

/** Answers with this code and up to so many bytes, until the client has had enough. */
function endless(code: number, most: number, note: { sent: number }): Answer {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.on('error', () => {});
    const chunk = Buffer.alloc(65_536, '"more of it"');
    const more = (): void => {
      if (response.destroyed) return;
      if (note.sent >= most) return void response.end();
      note.sent += chunk.length;
      if (response.write(chunk)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
}

describe('a long refusal', () => {
  it('becomes an error of a kilobyte that begins as the server began, and says how much is missing', async () => {
    server.script(status(403, 'Forbidden', LONG));
    const error = await refusalOf(client.create(configMaps, { metadata: web }));
    expect(error).toMatchObject({ reason: 'Forbidden', code: 403 });
    expect(error.message).toMatch(
      /^create configmaps default\/web: Forbidden 403: pods "web" is forbidden: violates PodSec/,
    );
    expect(error.message).toMatch(/… \(\d+ more bytes\)$/);
    expect(error.status?.message).toMatch(/^pods "web" is forbidden.*… \(\d+ more bytes\)$/);
    expect(error.status?.message?.length).toBeLessThan(1_000);
    expect(error.message.length).toBeLessThan(1_100);
  });

  it('names its first causes, each in short, and says how many there are besides', async () => {
    const causes = Array.from({ length: 1_500 }, (_, index) => ({
      reason: 'FieldValueInvalid',
      field: `spec.containers[${index}].name`,
      message: `Invalid value: "${'y'.repeat(1_000)}": must be no more than 63 characters`,
    }));
    server.script(json(422, { kind: 'Status', code: 422, reason: 'Invalid', message: 'no', details: { causes } }));
    const { causes: kept } = await refusalOf(client.create(configMaps, { metadata: web }));
    expect(kept).toHaveLength(129);
    expect(kept[127]).toEqual({
      reason: 'FieldValueInvalid',
      field: 'spec.containers[127].name',
      message: expect.stringMatching(/^Invalid value: "yyy.*… \(\d+ more bytes\)$/),
    });
    expect(kept[128]).toEqual({ message: '1372 more causes' });
    expect(JSON.stringify(kept).length).toBeLessThan(150_000);
  });

  it('is short in a watch, too', async () => {
    server.script(stream((response) => response.write(line('ERROR', { code: 410, reason: 'Expired', message: LONG }))));
    const read = async (): Promise<void> => {
      for await (const _ of client.watch(pods, {})) throw new Error('an event');
    };
    const error = await refusalOf(read());
    expect(error.reason).toBe('Gone');
    expect(error.message.length).toBeLessThan(1_100);
  });

  it.each([
    { name: 'no Status at all', body: null, words: 'null' },
    { name: 'a message that is no text', body: { kind: 'Status', code: 403, message: { a: 1 } }, words: 'no message' },
    { name: 'details that are none', body: { kind: 'Status', code: 403, message: 'no', details: 7 }, words: 'no' },
    {
      name: 'causes that are no list',
      body: { kind: 'Status', code: 403, message: 'no', details: { causes: 'many' } },
      words: 'no',
    },
    {
      name: 'causes that are none',
      body: { kind: 'Status', code: 403, message: 'no', details: { causes: [null, 7, 'x', { message: 7 }] } },
      words: 'no',
    },
    { name: 'a code that is none', body: { kind: 'Status', code: 'x', message: 'no' }, words: 'no' },
  ])('is still a refusal when it has $name', async ({ body, words }) => {
    server.script(json(403, body));
    const error = await refusalOf(client.get(configMaps, web));
    expect(error.message).toBe(`get configmaps default/web: Forbidden 403: ${words}`);
    expect(error.causes.every((cause) => typeof cause === 'object' && cause !== null)).toBe(true);
  });

  it('is not read to an end that does not come', async () => {
    const note = { sent: 0 };
    server.script(endless(403, 100 * 1024 * 1024, note), json(200, { metadata: web }));
    const error = await refusalOf(client.get(configMaps, web));
    expect(error).toMatchObject({ reason: 'Forbidden', code: 403 });
    expect(error.message).toContain('more of it');
    expect(error.message.length).toBeLessThan(1_100);
    // What the sockets hold on both sides comes on top of what was read.
    expect(note.sent).toBeLessThan(16 * 1024 * 1024);
    expect(await client.get(configMaps, web)).toEqual({ metadata: web });
  });
});

describe('an object that does not end', () => {
  const object = { metadata: { ...web, uid: 'u' } };
  const most = 100 * 1024 * 1024;

  it.each([
    { name: 'get', request: () => client.get(configMaps, web) },
    { name: 'create', request: () => client.create(configMaps, { metadata: web }) },
    { name: 'create, as a dry run', request: () => client.create(configMaps, { metadata: web }, { dryRun: true }) },
    { name: 'update', request: () => client.update(configMaps, { metadata: { ...web, resourceVersion: '1' } }) },
    { name: 'patch', request: () => client.patch(configMaps, web, { type: 'merge', body: {} }) },
    { name: 'delete', request: () => client.delete(configMaps, web, { uid: 'u' }) },
  ])('is given up after 8 MiB, and not asked for again: $name', async ({ request }) => {
    client = createClient(server.connection());
    const note = { sent: 0 };
    server.script(endless(200, most, note), json(200, object));
    const error = await refusalOf(request());
    // A write may have been carried out, so this is no refusal.
    expect(error).toMatchObject({ reason: 'Connection', cause: expect.any(AnswerTooLong) });
    expect(error.message).toContain('the answer has more than 8388608 bytes');
    // What the sockets hold on both sides comes on top of what was read.
    expect(note.sent).toBeLessThan(32 * 1024 * 1024);
    expect(server.requests).toHaveLength(1);
    expect(await client.get(configMaps, web)).toEqual(object);
  });

  it('is read up to that length', async () => {
    const long = { ...object, data: { text: 'x'.repeat(8 * 1024 * 1024 - 100) } };
    server.script(json(200, long));
    expect(await client.get(configMaps, web)).toEqual(long);
  });

  it('may be a list: how many objects there are is not for the client to say', async () => {
    const list = {
      metadata: {},
      items: [{ metadata: { ...web, annotations: { text: 'x'.repeat(9 * 1024 * 1024) } } }],
    };
    server.script(json(200, list));
    expect(await client.list(configMaps)).toEqual(list);
  });
});
