// Picks free TCP ports for the control plane, below the ephemeral range: between the check and the server's bind, an outgoing
// connection can take an ephemeral port.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 10_000;

/** Finds `count` different ports that nothing listens on at 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  const end = firstEphemeralPort();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries > 1000) throw new Error(`no ${count} free TCP ports between ${LOWEST} and ${end} on 127.0.0.1`);
    const port = LOWEST + Math.floor(Math.random() * (end - LOWEST));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

/** The first port that the kernel gives to outgoing connections; Linux's default on other systems. */
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
