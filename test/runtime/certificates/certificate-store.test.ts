import { beforeEach, describe, expect, it } from '@jest/globals';
import { CertificateStore } from '../../../src/runtime/certificates/certificate-store.ts';
import { silentLogger } from '../../../src/runtime/log.ts';
import { ObjectServer } from './object-server.ts';

describe('the certificate store', () => {
  let server: ObjectServer;
  let store: CertificateStore;

  beforeEach(() => {
    server = new ObjectServer();
    const places = { secret: { namespace: 'system', name: 'certs' }, inject: [] };
    store = new CertificateStore(server.client, places, silentLogger);
  });

  it('lets the first of two replicas create the Secret', async () => {
    await store.writeSecret(undefined, { by: 'first' });
    await store.writeSecret(undefined, { by: 'second' });
    expect((await store.readSecret())?.data).toEqual({ by: 'first' });
  });

  it('lets the first of two replicas change the Secret', async () => {
    await store.writeSecret(undefined, {});
    const seen = await store.readSecret();
    await store.writeSecret(seen, { by: 'first' });
    await store.writeSecret(seen, { by: 'second' });
    expect((await store.readSecret())?.data).toEqual({ by: 'first' });
  });

  it('rejects when the Secret may not be written', async () => {
    server.refuse = 'Secret';
    await expect(store.writeSecret(undefined, {})).rejects.toThrow('Forbidden');
  });
});
