import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Secret } from '../../../src/runtime/built-in.ts';
import type { KeyPair } from '../../../src/runtime/certificates/authority.ts';
import type { WebhookConfiguration } from '../../../src/runtime/certificates/injection.ts';
import { CertificateRotator, type RotatorOptions } from '../../../src/runtime/certificates/rotator.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { ObjectServer } from './object-server.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
/** So short that turning the clock past them takes no years of watch timers. */
const SHORT = { authorityMs: 3_000 * MINUTE, servingMs: 90 * MINUTE, propagationMs: 5 * MINUTE };
const SECRET = { kind: 'Secret', name: 'webhook-certs' };
const VALIDATING = { kind: 'ValidatingWebhookConfiguration', name: 'validating' } as const;
const MUTATING = { kind: 'MutatingWebhookConfiguration', name: 'mutating' } as const;

const configuration = (name: string, ...webhooks: readonly string[]) => ({
  metadata: { name },
  webhooks: webhooks.map((each) => ({ name: each, clientConfig: { url: 'https://127.0.0.1' } })),
});

describe('a certificate rotator', () => {
  let clock: FakeClock;
  let server: ObjectServer;
  const running: { readonly stop: AbortController; readonly ended: Promise<void> }[] = [];

  beforeEach(() => {
    clock = new FakeClock();
    server = new ObjectServer();
    server.put(VALIDATING.kind, configuration(VALIDATING.name, 'a.example', 'b.example'));
    server.put(MUTATING.kind, configuration(MUTATING.name, 'c.example'));
  });

  afterEach(async () => {
    for (const { stop, ended } of running.splice(0)) {
      stop.abort();
      await ended;
    }
  });

  const start = (options: Partial<RotatorOptions> = {}): CertificateRotator => {
    const rotator = new CertificateRotator(server.client, {
      secret: { namespace: 'system', name: SECRET.name },
      names: { dnsNames: ['webhook.system.svc'], ipAddresses: ['127.0.0.1'] },
      inject: [VALIDATING, MUTATING],
      clock,
      wallNow: clock.wallNow,
      ...options,
    });
    const stop = new AbortController();
    running.push({ stop, ended: rotator.start(stop.signal) });
    return rotator;
  };

  /** A replica, by the certificates that it has served. */
  const replica = (options: Partial<RotatorOptions> = {}): KeyPair[] => {
    const served: KeyPair[] = [];
    start(options).subscribe((next) => served.push(next));
    return served;
  };

  const stored = (key: string): string =>
    Buffer.from(server.object<Secret>(SECRET)?.data?.[key] ?? '', 'base64').toString();
  const authorities = (): string[] => stored('ca.crt').match(/-----BEGIN[\s\S]+?-----END CERTIFICATE-----\n/g) ?? [];
  const injected = (): (string | undefined)[] =>
    [VALIDATING, MUTATING].flatMap((target) =>
      (server.object<WebhookConfiguration>(target)?.webhooks ?? []).map(({ clientConfig }) =>
        clientConfig.caBundle === undefined ? undefined : Buffer.from(clientConfig.caBundle, 'base64').toString(),
      ),
    );
  const isIssuedBy = (cert: string | undefined, ca: string | undefined): boolean => {
    const authority = new X509Certificate(ca ?? '');
    return new X509Certificate(cert ?? '').verify(authority.publicKey);
  };
  const settled = async (check: () => void): Promise<void> => {
    // Keys are made in other threads: turning the clock alone does not wait for them.
    await eventually(
      async () => {
        await clock.advance(0);
        check();
      },
      5_000,
      5,
    );
  };

  it('makes a CA and a certificate, stores them, serves and injects them', async () => {
    const served = replica();
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    expect(served).toEqual([{ cert: stored('tls.crt'), key: stored('tls.key') }]);
    expect(server.object<Secret>(SECRET)?.type).toBe('kubernetes.io/tls');
    const [ca] = authorities();
    expect(isIssuedBy(served[0]?.cert, ca)).toBe(true);
    const certificate = new X509Certificate(served[0]?.cert ?? '');
    expect(certificate.subjectAltName).toBe('DNS:webhook.system.svc, IP Address:127.0.0.1');
    expect(certificate.validToDate.getTime() - clock.wallNow()).toBe(90 * DAY);
    expect(certificate.validFromDate.getTime()).toBeLessThan(clock.wallNow());
    expect(new X509Certificate(ca ?? '').validToDate.getTime() - clock.wallNow()).toBe(3_650 * DAY);
  });

  it('is ready when the API server has been told whom to trust, and stays so', async () => {
    server.refuse = MUTATING.kind;
    const rotator = start();
    await settled(() => expect(injected().filter(Boolean)).toHaveLength(2));
    expect(rotator.check).toThrow('no webhook configuration has our CA yet');
    server.refuse = undefined;
    await clock.advance(2_000);
    await settled(rotator.check);
    server.refuse = VALIDATING.kind;
    server.put(VALIDATING.kind, configuration(VALIDATING.name, 'a.example'));
    await clock.advance(2_000);
    expect(injected()[0]).toBeUndefined();
    expect(rotator.check).not.toThrow();
  });

  it('tells when what is in use ends, and that it could not be kept', async () => {
    const ends = new Map<string, number>();
    let failures = 0;
    const observer = {
      expires: (role: string, notAfter: number) => ends.set(role, notAfter - clock.wallNow()),
      rotationFailed: () => failures++,
    };
    const served = replica({ lifetimes: SHORT, observer });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    expect(Object.fromEntries(ends)).toEqual({ serving: SHORT.servingMs, ca: SHORT.authorityMs });
    expect(failures).toBe(0);
    server.refuse = SECRET.kind;
    await clock.advance(60 * MINUTE);
    await settled(() => expect(failures).toBeGreaterThan(0));
    expect(served).toHaveLength(1);
    expect(ends.get('serving')).toBe(SHORT.servingMs / 3);
    server.refuse = undefined;
    await clock.advance(2_000);
    await settled(() => expect(served).toHaveLength(2));
    await settled(() => expect(ends.get('serving')).toBe(SHORT.servingMs));
  });

  it('agrees with other replicas that start at the same time', async () => {
    const served = [replica(), replica(), replica()];
    await settled(() => expect(served.flat()).toHaveLength(3));
    expect(new Set(served.flat().map(({ cert }) => cert)).size).toBe(1);
    expect(server.writes.filter((write) => write.endsWith(' Secret'))).toEqual(['ADDED Secret']);
  });

  it('adopts what is there', async () => {
    replica();
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    server.writes.length = 0;
    const served = replica();
    await settled(() => expect(served).toHaveLength(1));
    expect(served[0]?.cert).toBe(stored('tls.crt'));
    expect(server.writes).toEqual([]);
  });

  it('renews the serving certificate when a third of its life is left, in every replica', async () => {
    const [first, second] = [replica({ lifetimes: SHORT }), replica({ lifetimes: SHORT })];
    await settled(() => expect([first.length, second.length]).toEqual([1, 1]));
    const ca = stored('ca.crt');
    await clock.advance(59 * MINUTE);
    expect(first).toHaveLength(1);
    await clock.advance(MINUTE);
    await settled(() => expect([first.length, second.length]).toEqual([2, 2]));
    expect(first[1]).toEqual(second[1]);
    expect(first[1]?.cert).not.toBe(first[0]?.cert);
    expect(stored('ca.crt')).toBe(ca);
  });

  it.each([
    { name: 'set forwards', byMs: 60 * MINUTE, afterMs: MINUTE },
    { name: 'set back, and right again later', byMs: -600 * MINUTE, afterMs: 61 * MINUTE },
  ])('renews in time when the wall clock is $name', async ({ byMs, afterMs }) => {
    const served = replica({ lifetimes: SHORT });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    clock.stepWall(byMs);
    await clock.advance(afterMs);
    if (byMs < 0) clock.stepWall(-byMs);
    await clock.advance(MINUTE);
    await settled(() => expect(served).toHaveLength(2));
  });

  it('waits as long as API servers need to notice a new CA, however the wall clock is set', async () => {
    const served = replica({ lifetimes: { ...SHORT, authorityMs: 60 * MINUTE } });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    await clock.advance(40 * MINUTE);
    await settled(() => expect(authorities()).toHaveLength(2));
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    const [newCa] = authorities();
    clock.stepWall(10 * MINUTE);
    await clock.advance(4 * MINUTE);
    await settled(() => expect(isIssuedBy(served.at(-1)?.cert, newCa)).toBe(false));
    clock.stepWall(-20 * MINUTE);
    await clock.advance(2 * MINUTE);
    await settled(() => expect(isIssuedBy(served.at(-1)?.cert, newCa)).toBe(true));
  });

  it('replaces the CA in three steps: trust both, serve the new, forget the old', async () => {
    const served = replica({ lifetimes: { ...SHORT, authorityMs: 60 * MINUTE } });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    const [oldCa] = authorities();
    await clock.advance(40 * MINUTE);
    await settled(() => expect(authorities()).toHaveLength(2));
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    const [newCa, kept] = authorities();
    expect(kept).toBe(oldCa);
    expect(isIssuedBy(stored('tls.crt'), oldCa)).toBe(true);

    await clock.advance(5 * MINUTE);
    await settled(() => expect(isIssuedBy(served.at(-1)?.cert, newCa)).toBe(true));
    expect(authorities()).toEqual([newCa, oldCa]);

    await clock.advance(5 * MINUTE);
    await settled(() => expect(injected()).toEqual(Array(3).fill(newCa)));
  });

  it('does not serve from a new CA that it could not inject', async () => {
    const served = replica({ lifetimes: { ...SHORT, authorityMs: 90 * MINUTE } });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    server.refuse = MUTATING.kind;
    await clock.advance(60 * MINUTE);
    await settled(() => expect(authorities()).toHaveLength(2));
    await clock.advance(6 * MINUTE);
    expect(served).toHaveLength(1);
    server.refuse = undefined;
    await clock.advance(2_000);
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    await clock.advance(5 * MINUTE);
    await settled(() => expect(served).toHaveLength(2));
  });

  it('waits anew when a new CA was stripped before everybody could trust it', async () => {
    const served = replica({ lifetimes: { ...SHORT, authorityMs: 60 * MINUTE } });
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    await clock.advance(40 * MINUTE);
    await settled(() => expect(authorities()).toHaveLength(2));
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    const [newCa, oldCa] = authorities();
    for (let round = 0; round < 2; round++) {
      await clock.advance(4 * MINUTE);
      server.put(MUTATING.kind, configuration(MUTATING.name, 'c.example'));
      await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    }
    expect(isIssuedBy(served.at(-1)?.cert, oldCa)).toBe(true);
    await clock.advance(5 * MINUTE);
    await settled(() => expect(isIssuedBy(served.at(-1)?.cert, newCa)).toBe(true));
  });

  it('puts the CA back when somebody strips it, and leaves the rest alone', async () => {
    replica();
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    server.put(VALIDATING.kind, configuration(VALIDATING.name, 'new.example'));
    await settled(() => expect(injected()).toEqual(Array(2).fill(stored('ca.crt'))));
    expect(server.object<WebhookConfiguration>(VALIDATING)?.webhooks?.[0]).toMatchObject({
      name: 'new.example',
      clientConfig: { url: 'https://127.0.0.1' },
    });
  });

  it('injects into a configuration that comes later', async () => {
    server.delete(MUTATING.kind, MUTATING.name);
    replica();
    await settled(() => expect(injected()).toEqual(Array(2).fill(stored('ca.crt'))));
    server.put(MUTATING.kind, configuration(MUTATING.name, 'c.example'));
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
  });

  it('makes everything anew when the Secret is deleted', async () => {
    const served = replica();
    await settled(() => expect(served).toHaveLength(1));
    server.delete(SECRET.kind, SECRET.name);
    await settled(() => expect(served).toHaveLength(2));
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
  });

  it('issues another certificate when its names change', async () => {
    const before = replica();
    await settled(() => expect(before).toHaveLength(1));
    const ca = stored('ca.crt');
    const after = replica({ names: { dnsNames: ['webhook.system.svc', 'more.system.svc'] } });
    await settled(() =>
      expect(
        new X509Certificate(after.at(-1)?.cert ?? before[0]?.cert ?? '').checkHost('more.system.svc'),
      ).toBeDefined(),
    );
    expect(stored('ca.crt')).toBe(ca);
  });

  it.each([
    { name: 'is empty', data: {} },
    { name: 'holds nonsense', data: { 'tls.crt': 'eA==', 'tls.key': 'eA==', 'ca.crt': 'eA==', 'ca.key': 'eA==' } },
  ])('fills a Secret that $name', async ({ data }) => {
    server.put(SECRET.kind, { metadata: { name: SECRET.name }, type: 'Opaque', data } as never);
    const served = replica();
    await settled(() => expect(served).toHaveLength(1));
    expect(server.object<Secret>(SECRET)?.type).toBe('Opaque');
  });

  it('makes everything anew when the key of the CA is not its key', async () => {
    const before = replica();
    await settled(() => expect(before).toHaveLength(1));
    const secret = server.object<Secret>(SECRET);
    server.put(SECRET.kind, { ...secret, data: { ...secret?.data, 'ca.key': secret?.data?.['tls.key'] } } as Secret);
    await settled(() => expect(before).toHaveLength(2));
  });

  it('does not touch the Secret of somebody else', async () => {
    const data = { 'tls.crt': 'eA==', 'tls.key': 'eA==' };
    server.put(SECRET.kind, { metadata: { name: SECRET.name }, data } as never);
    const served = replica();
    await clock.advance(60 * MINUTE);
    expect(served).toEqual([]);
    expect(server.object<Secret>(SECRET)?.data).toEqual(data);
    server.delete(SECRET.kind, SECRET.name);
    await settled(() => expect(served).toHaveLength(1));
  });

  it('leaves no timer behind when it stops', async () => {
    replica();
    await settled(() => expect(injected()).toEqual(Array(3).fill(stored('ca.crt'))));
    for (const { stop, ended } of running.splice(0)) {
      stop.abort();
      await ended;
    }
    expect(clock.timers).toBe(0);
  });
});
