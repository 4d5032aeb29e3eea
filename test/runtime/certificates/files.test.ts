import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyPair } from '../../../src/runtime/certificates/authority.ts';
import { CertificateFiles } from '../../../src/runtime/certificates/files.ts';
import { localhostCertificate } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const [first, second] = (await Promise.all([localhostCertificate(), localhostCertificate()])).map(
  (each) => each.serving,
);

describe('certificate files', () => {
  let directory: string;
  let clock: FakeClock;
  let served: KeyPair[];
  let reads: string[];
  let ends: unknown[];
  let stop: AbortController;
  let running: Promise<void>;

  const write = (file: 'tls.crt' | 'tls.key', text = ''): Promise<void> => writeFile(join(directory, file), text);
  /** Polls once more and waits until the files have been read. */
  const poll = async (): Promise<void> => {
    const before = reads.length;
    await clock.advance(10_000);
    await eventually(() => expect(reads.length).toBeGreaterThan(before), 5_000, 2);
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'certificates-'));
    await Promise.all([write('tls.crt', first?.cert), write('tls.key', first?.key)]);
    clock = new FakeClock();
    served = [];
    reads = [];
    ends = [];
    stop = new AbortController();
    const files = new CertificateFiles({
      certFile: join(directory, 'tls.crt'),
      keyFile: join(directory, 'tls.key'),
      observer: {
        read: (outcome) => reads.push(outcome),
        expires: (role, notAfter) => ends.push([role, notAfter]),
      },
      clock,
    });
    files.subscribe((next) => served.push(next));
    running = files.start(stop.signal);
    await eventually(() => expect(reads).toHaveLength(1), 5_000, 2);
  });

  afterEach(async () => {
    stop.abort();
    await running;
    expect(clock.timers).toBe(0);
    await rm(directory, { recursive: true });
  });

  it('are served as they are, and again only when they have changed', async () => {
    expect(served).toEqual([first]);
    await poll();
    expect(served).toEqual([first]);
    await Promise.all([write('tls.crt', second?.cert), write('tls.key', second?.key)]);
    await poll();
    expect(served).toEqual([first, second]);
    expect(reads).toEqual(['success', 'success', 'success']);
    const [one, other] = [first, second].map((each) => Date.parse(new X509Certificate(each?.cert ?? '').validTo));
    expect(ends).toEqual([one, one, other].map((end) => ['serving', end]));
  });

  it('are not used while certificate and key do not belong together', async () => {
    await write('tls.crt', second?.cert);
    await poll();
    expect(served).toEqual([first]);
    await write('tls.key', second?.key);
    await poll();
    expect(served).toEqual([first, second]);
    expect(reads).toEqual(['success', 'error', 'success']);
  });

  it('may be gone for a while', async () => {
    await rm(join(directory, 'tls.key'));
    await poll();
    expect(served).toEqual([first]);
    await write('tls.key', first?.key);
    await poll();
    expect(reads).toEqual(['success', 'error', 'success']);
  });
});

describe('a new subscriber', () => {
  it('is told of the certificate there is, and no longer of any after it has left', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'certificates-'));
    const [certFile, keyFile] = [join(directory, 'c'), join(directory, 'k')];
    await Promise.all([writeFile(certFile, first?.cert ?? ''), writeFile(keyFile, first?.key ?? '')]);
    const clock = new FakeClock();
    const files = new CertificateFiles({ certFile, keyFile, clock });
    const stop = new AbortController();
    const running = files.start(stop.signal);
    const early: KeyPair[] = [];
    files.subscribe((next) => early.push(next));
    await eventually(() => expect(early).toEqual([first]), 5_000, 2);
    const late: KeyPair[] = [];
    const leave = files.subscribe((next) => late.push(next));
    expect(late).toEqual([first]);
    leave();
    await Promise.all([writeFile(certFile, second?.cert ?? ''), writeFile(keyFile, second?.key ?? '')]);
    await clock.advance(10_000);
    await eventually(() => expect(early).toEqual([first, second]), 5_000, 2);
    expect(late).toEqual([first]);
    stop.abort();
    await running;
    await rm(directory, { recursive: true });
  });
});
