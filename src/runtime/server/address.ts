// Where a server listens, in the notation of Go and of kubebuilder's flags: `:8080` is every interface,
// `127.0.0.1:8080`, `[::1]:8080` and `localhost:8080` are loopback, and `0` switches the server off.

import { BlockList, isIP, isIPv6 } from 'node:net';

export interface Address {
  /** Absent: every interface. */
  readonly host?: string;
  readonly port: number;
}

const NOTATION = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:]*)):(?<port>\d+)$/;

/** The address, or undefined for `0` and for nothing at all. */
export function parseAddress(text: string): Address | undefined {
  if (text === '0' || text === '') return undefined;
  const { ipv6, host, port } = NOTATION.exec(text)?.groups ?? {};
  const wrongHost = ipv6 !== undefined && !isIPv6(ipv6);
  if (port === undefined || Number(port) > 65_535 || wrongHost) {
    throw new Error(`"${text}" is no address to listen on: write host:port, :port for all interfaces, or 0 for none`);
  }
  const name = ipv6 ?? host ?? '';
  return name === '' ? { port: Number(port) } : { host: name, port: Number(port) };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True when only this machine can reach the address. */
export function isLoopback({ host }: Address): boolean {
  if (host === undefined) return false;
  if (host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
