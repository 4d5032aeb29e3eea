import { describe, expect, it } from '@jest/globals';
import { parseFlags } from '../../../src/runtime/operator/flags.ts';

const KINDS = ['mydeployment', 'imoocpod'];

describe('the flags of an operator', () => {
  it('have the defaults that kubebuilder people know', () => {
    expect(parseFlags([], KINDS)).toEqual({
      metricsAddress: '0',
      healthAddress: ':8081',
      webhookPort: 9443,
      webhookCertDir: undefined,
      webhookClientCaFile: undefined,
      shards: 1,
      leaderElect: false,
      kubeconfig: undefined,
      kinds: [],
      namespaces: undefined,
      workers: 8,
      logLevel: 'info',
      ofKinds: {},
    });
  });

  it('are all read', () => {
    const args = [
      '--metrics-bind-address=:8443',
      '--health-probe-bind-address',
      '0',
      '--webhook-port=0',
      '--webhook-cert-dir=/certs',
      '--webhook-client-ca-file=/ca.crt',
      '--leader-elect',
      '--shards=4',
      '--kubeconfig=config',
      '--kinds=MyDeployment, imoocpod',
      '--namespaces=blue, green,blue',
      '--max-concurrent-reconciles=2',
      '--log-level=debug',
    ];
    expect(parseFlags(args, KINDS)).toEqual({
      metricsAddress: ':8443',
      healthAddress: '0',
      webhookPort: 0,
      webhookCertDir: '/certs',
      webhookClientCaFile: '/ca.crt',
      leaderElect: true,
      shards: 4,
      kubeconfig: 'config',
      kinds: ['mydeployment', 'imoocpod'],
      namespaces: ['blue', 'green'],
      workers: 2,
      logLevel: 'debug',
      ofKinds: {},
    });
  });

  it.each([
    { args: ['--webhook-port=http'], says: '--webhook-port: must be a whole number from 0 to 65535, got "http"' },
    { args: ['--webhook-port=65536'], says: 'got "65536"' },
    { args: ['--max-concurrent-reconciles=0'], says: 'must be a whole number from 1 to 1000, got "0"' },
    { args: ['--max-concurrent-reconciles=-1'], says: 'got "-1"' },
    { args: ['--leader-elect', '--shards=0'], says: '--shards: must be a whole number from 1 to 256, got "0"' },
    { args: ['--shards=2'], says: '--shards: needs --leader-elect, got "2" without it' },
    { args: ['--kinds=pod'], says: '--kinds: there is no "pod", only mydeployment, imoocpod' },
    { args: ['--namespaces='], says: '--namespaces: must name at least one, got ""; leave it out for all' },
    { args: ['--namespaces=a,Blue'], says: '--namespaces: no namespace can be called "Blue"' },
    { args: ['--log-level=loud'], says: '--log-level: must be one of debug, info, warn, error, got "loud"' },
    { args: ['--metrics-bind-address=8080'], says: '--metrics-bind-address: "8080" is no address to listen on' },
    { args: ['--no-such-flag'], says: "Unknown option '--no-such-flag'" },
    { args: ['surplus'], says: "Unexpected argument 'surplus'" },
  ])('refuse $args', ({ args, says }) => {
    expect(() => parseFlags(args, KINDS)).toThrow(says);
  });
});
