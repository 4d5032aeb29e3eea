import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '../../../src/runtime/client/client.ts';
import { eventually } from '../../support/eventually.ts';
import { ScriptedServer, status, stream } from './scripted-server.ts';

let server: ScriptedServer;
let client: Client;
beforeEach(async () => {
  server = await ScriptedServer.start();
  client = createClient(server.connection());
});
afterEach(() => server.close());

const PATH = '/api/v1/namespaces/a/pods/b/log?follow=true';

async function read(): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const chunk of client.stream(PATH)) text += chunk.toString();
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

describe('a body that is read as it comes', () => {
  it('ends when the server ends it', async () => {
    server.script(stream((response) => response.end('one\ntwo\n')));
    expect(await read()).toEqual({ text: 'one\ntwo\n', error: undefined });
  });

  it('is refused as any request', async () => {
    server.script(status(403, 'Forbidden', 'no'));
    expect((await read()).error).toMatchObject({ reason: 'Forbidden' });
  });

  it('throws what cut it, after all that came before', async () => {
    server.script(
      stream((response) => {
        response.write('one\n', () => response.destroy());
      }),
    );
    expect(await read()).toMatchObject({ text: 'one\n', error: { reason: 'Connection' } });
  });

  it('is given up when its reader stops reading', async () => {
    let closed: Promise<unknown> | undefined;
    server.script(
      stream((response) => {
        closed = once(response, 'close');
        response.write('one\n');
      }),
    );
    for await (const chunk of client.stream(PATH)) {
      expect(chunk.toString()).toBe('one\n');
      break;
    }
    await eventually(() => expect(closed).toBeDefined());
    await closed;
  });
});
