// Picks TCP ports for the control plane. Ports of the ephemeral range are left alone: an outgoing connection can take
// one between our probe and the server's bind (seen), so we choose below that range and probe.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 10_000;

/** Finds `count` different ports that nothing listens on at 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  const ceiling = firstEphemeralPort();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries > 1000) throw new Error(`no ${count} free TCP ports between ${LOWEST} and ${ceiling} on 127.0.0.1`);
    const port = LOWEST + Math.floor(Math.random() * (ceiling - LOWEST));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

/** Where the kernel starts handing out ports to outgoing connections; Linux's default where it does not say. */
function firstEphemeralPort(): number {
  try {
    const first = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
    return first > LOWEST + 1000 ? first : 65_000;
  } catch {
    return 32_768;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
