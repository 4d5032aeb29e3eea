import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientCaFile } from '../../../src/runtime/certificates/files.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';

const [first = '', second = ''] = (await Promise.all([localhostCertificate(), localhostCertificate()])).map(
  ({ ca }) => ca,
);

describe('a file with the CA of clients', () => {
  let folder: string;
  let file: string;
  let clock: FakeClock;
  let stop: AbortController;
  let running: Promise<void> | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-ca-'));
    file = join(folder, 'ca.crt');
    clock = new FakeClock();
    stop = new AbortController();
  });

  afterEach(async () => {
    stop.abort();
    await running;
    await rm(folder, { recursive: true });
  });

  /** Reads the file from now on; the result is what has been told so far. */
  function follow(): string[] {
    const told: string[] = [];
    const source = new ClientCaFile({ file, clock });
    source.subscribe((pem) => told.push(pem));
    running = source.start(stop.signal);
    return told;
  }

  /** Lets so many readings happen. */
  async function poll(): Promise<void> {
    await eventually(() => expect(clock.timers).toBe(1), 5_000, 2);
    await clock.advance(10_000);
    await eventually(() => expect(clock.timers).toBe(1), 5_000, 2);
  }

  it('is told at first, and again when it has changed', async () => {
    await writeFile(file, first);
    const told = follow();
    await eventually(() => expect(told).toEqual([first]));
    await poll();
    expect(told).toEqual([first]);
    await writeFile(file, `${second}\n${first}`);
    await poll();
    expect(told).toEqual([first, `${second}\n${first}`]);
  });

  it('is told to one who comes late', async () => {
    await writeFile(file, first);
    const source = new ClientCaFile({ file, clock });
    running = source.start(stop.signal);
    await eventually(() => expect(clock.timers).toBe(1), 5_000, 2);
    const told: string[] = [];
    const unsubscribe = source.subscribe((pem) => told.push(pem));
    expect(told).toEqual([first]);
    unsubscribe();
    await writeFile(file, second);
    await poll();
    await settle();
    expect(told).toEqual([first]);
  });

  it.each([
    { name: 'empty', text: '' },
    { name: 'blank', text: '\n' },
    { name: 'something else', text: 'no certificate' },
    { name: 'cut off', text: first.slice(0, 200) },
  ])('is not used when it is $name, and the last good one stays in use', async ({ text }) => {
    await writeFile(file, text);
    const told = follow();
    await poll();
    expect(told).toEqual([]);
    await writeFile(file, first);
    await poll();
    await writeFile(file, text);
    await poll();
    expect(told).toEqual([first]);
  });

  it('may come later than the operator', async () => {
    const told = follow();
    await poll();
    await writeFile(file, first);
    await poll();
    expect(told).toEqual([first]);
  });
});
