// Downloads against a mirror on loopback that cuts, stalls, refuses and lies.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DownloadError, Downloader } from '../../../src/cluster/binaries/download.ts';
import { monotonicClock } from '../../../src/runtime/clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NOBODY, Scratch } from './fixture.ts';
import { Mirror, sha256 } from './mirror.ts';

const limits = { answerMs: 5_000, stallMs: 5_000, attempts: 3, backoffMs: 1 };
const content = randomBytes(300_000);

interface Received {
  readonly sha256: string;
  /** Whether the file on disk has the bytes of the original. */
  readonly identical: boolean;
  readonly lastReport: readonly [number, number | undefined];
}

async function receive(scratch: Scratch, mirror: Mirror): Promise<Received> {
  const path = join(scratch.path, 'file');
  let lastReport: Received['lastReport'] = [0, undefined];
  const hash = await new Downloader(limits, monotonicClock).file({
    url: `${mirror.url}/file`,
    path,
    onBytes: (done, total) => {
      lastReport = [done, total];
      mirror.clientHas(done);
    },
  });
  return { sha256: hash, identical: content.equals(await readFile(path)), lastReport };
}

const whole = { sha256: sha256(content), identical: true, lastReport: [content.length, content.length] };

describe('a download', () => {
  it('writes the file, hashes it, and says how far it is', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/file', content);
    expect(await receive(scratch, mirror)).toEqual(whole);
  });

  it('that is cut goes on where it stopped', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/file', content).cutOnce('/file', 100_000).cutOnce('/file', 50_000);
    expect(await receive(scratch, mirror)).toEqual(whole);
    expect(mirror.requests).toEqual(['/file', '/file bytes=100000-', '/file bytes=150000-']);
  });

  it.each([
    {
      name: 'sends the whole file instead of the range',
      status: 200,
      headers: { 'content-length': content.length },
      body: content,
      requests: ['/file', '/file bytes=100000-'],
    },
    {
      name: 'sends another range than the one asked for',
      status: 206,
      headers: { 'content-range': 'bytes 0-299999/300000' },
      body: content,
      requests: ['/file', '/file bytes=100000-', '/file'],
    },
    {
      name: 'calls the range impossible',
      status: 416,
      headers: {},
      body: 'no such range',
      requests: ['/file', '/file bytes=100000-', '/file'],
    },
  ])('starts over when the server $name', async ({ status, headers, body, requests }) => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/file', content).cutOnce('/file', 100_000);
    mirror.once('/file', (_, response) => response.writeHead(status, headers).end(body));
    expect(await receive(scratch, mirror)).toEqual(whole);
    expect(mirror.requests).toEqual(requests);
  });

  it('is tried again after a server error', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/file', content).once('/file', (_, response) => response.writeHead(503).end());
    expect(await receive(scratch, mirror)).toEqual(whole);
  });

  it('from a server that always cuts is given up after the allowed number of tries', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    mirror.serve('/file', content);
    for (let i = 0; i < 10; i++) mirror.cutOnce('/file', 1_000);
    await expect(receive(scratch, mirror)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('/file failed 3 times'),
    });
    expect(mirror.requests).toHaveLength(3);
  });

  it.each([404, 403])('answered %i is refused at the first try', async (status) => {
    await using mirror = await Mirror.start();
    mirror.once('/file', (_, response) => response.writeHead(status).end());
    const text = new Downloader(limits, monotonicClock).text(`${mirror.url}/file`);
    await expect(text).rejects.toEqual(new DownloadError('refused', `${mirror.url}/file answers ${status}`));
    expect(mirror.requests).toEqual(['/file']);
  });

  it('follows a redirect, as the official hosts answer with', async () => {
    await using mirror = await Mirror.start();
    mirror.serve('/elsewhere', 'text').once('/file', (_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await new Downloader(limits, monotonicClock).text(`${mirror.url}/file`)).toBe('text');
  });

  it('pauses twice as long before each further try', async () => {
    await using mirror = await Mirror.start();
    const clock = new FakeClock();
    const pauses: number[] = [];
    const watched = {
      now: () => clock.now(),
      after(delayMs: number, callback: () => void) {
        if (delayMs >= limits.answerMs) return { cancel() {} };
        pauses.push(delayMs);
        return monotonicClock.after(0, callback);
      },
    };
    for (let i = 0; i < 4; i++) mirror.once('/file', (_, response) => response.writeHead(500).end());
    const patient = new Downloader({ ...limits, attempts: 4, backoffMs: 100 }, watched);
    await expect(patient.text(`${mirror.url}/file`)).rejects.toMatchObject({ kind: 'failed' });
    expect(pauses).toEqual([100, 200, 400]);
  });
});

describe('a host that does not answer', () => {
  it('gets one try, and none for the next file', async () => {
    const mirror = await Mirror.start();
    const { url } = mirror;
    mirror.once('/one', (request) => request.socket.destroy());
    const downloader = new Downloader(limits, monotonicClock);
    const unreachable = { kind: 'unreachable', message: expect.stringContaining(`${url} does not answer`) };
    await expect(downloader.text(`${url}/one`)).rejects.toMatchObject(unreachable);
    await expect(downloader.text(`${url}/two`)).rejects.toMatchObject(unreachable);
    expect(mirror.requests).toEqual(['/one']);
    await mirror[Symbol.asyncDispose]();
  });

  it('is named with the reason', async () => {
    const text = new Downloader(limits, monotonicClock).text(`${NOBODY}/one`);
    await expect(text).rejects.toThrow(`${NOBODY} does not answer (ECONNREFUSED)`);
  });

  it('is waited for no longer than allowed', async () => {
    await using mirror = await Mirror.start();
    const clock = new FakeClock();
    const asked = new Promise<void>((resolve) => mirror.once('/one', () => resolve()));
    const text = new Downloader(limits, clock).text(`${mirror.url}/one`);
    const outcome = expect(text).rejects.toThrow('does not answer (no answer in 5000 ms)');
    await asked;
    await clock.advance(limits.answerMs);
    await outcome;
    expect(clock.timers).toBe(0);
  });
});

describe('a transfer that stalls', () => {
  it('counts as cut and goes on with a new request', async () => {
    await using scratch = await Scratch.create();
    await using mirror = await Mirror.start();
    const clock = new FakeClock();
    mirror.serve('/file', content).once('/file', (_, response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 1_000));
    });
    let stalled: () => void = () => {};
    const stall = new Promise<void>((resolve) => {
      stalled = resolve;
    });
    const path = join(scratch.path, 'file');
    const received = new Downloader(limits, clock).file({ url: `${mirror.url}/file`, path, onBytes: () => stalled() });
    await stall;
    await clock.advance(limits.stallMs);
    await clock.advance(limits.backoffMs);
    expect(await received).toBe(sha256(content));
    expect(mirror.requests).toEqual(['/file', '/file bytes=1000-']);
    expect(clock.timers).toBe(0);
  });
});

describe('an aborted download', () => {
  it('ends with the reason given', async () => {
    await using mirror = await Mirror.start();
    const abort = new AbortController();
    mirror.once('/file', () => abort.abort(new Error('Ctrl-C')));
    const text = new Downloader(limits, monotonicClock).text(`${mirror.url}/file`, abort.signal);
    await expect(text).rejects.toThrow('Ctrl-C');
    expect(mirror.requests).toEqual(['/file']);
  });
});
