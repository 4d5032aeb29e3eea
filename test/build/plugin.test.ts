import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { buildPage } from '../../src/build/page.ts';
import { buildPlugin } from '../../src/build/plugin.ts';

const run = promisify(execFile);

describe('the built plugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-'));
  const main = join(folder, 'plugin', 'main.js');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('runs where there is nothing but Node, under each of its names', async () => {
    await buildPlugin(join(folder, 'plugin'));
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const { stdout } = await run(process.execPath, [main, '--help'], { cwd: folder });
    expect(stdout).toContain('kubectl md COMMAND [flags]');
    const asked = join(folder, 'kubectl_complete-md');
    symlinkSync(main, asked);
    const completed = await run(process.execPath, [asked, 'rollout', 'und'], { cwd: folder });
    expect(completed.stdout).toMatch(/^undo\t.+\n:4\n$/);
  });

  it('finds its way through a proxy', async () => {
    const proxy = createServer().listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const asked: unknown[] = [];
    proxy.on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const kubeconfig = join(folder, 'kubeconfig');
    const cluster = { server: 'https://kubernetes.example:6443', 'proxy-url': url };
    const contexts = [{ name: 'far', context: { cluster: 'far' } }];
    writeFileSync(kubeconfig, JSON.stringify({ clusters: [{ name: 'far', cluster }], contexts }));
    const options = ['--kubeconfig', kubeconfig, '--context', 'far'];
    await expect(run(process.execPath, [main, 'get', 'web', ...options])).rejects.toThrow(
      'Unable to connect to the server',
    );
    proxy.close();
    expect(asked).toContain('kubernetes.example:6443');
  });

  it('keeps compiled code where only its user can write, and nowhere else', async () => {
    const [XDG_CACHE_HOME, TMPDIR] = [join(folder, 'cache'), join(folder, 'tmp')];
    mkdirSync(TMPDIR);
    const env = { PATH: process.env.PATH, XDG_CACHE_HOME, TMPDIR };
    await run(process.execPath, [main, '--help'], { env });
    expect(readdirSync(TMPDIR)).toEqual([]);
    const kept = join(XDG_CACHE_HOME, 'mydeployment', 'compile-cache');
    expect(readdirSync(kept)).toHaveLength(1);

    rmSync(kept, { recursive: true });
    mkdirSync(kept);
    chmodSync(kept, 0o777);
    await run(process.execPath, [main, '--help'], { env });
    expect([readdirSync(TMPDIR), readdirSync(kept)]).toEqual([[], []]);
  });

  it('carries the page of the dashboard, small, complete and with its licences', async () => {
    const { files } = await buildPage();
    expect(Object.keys(files).sort()).toEqual(['icon.svg', 'index.html', 'page.css', 'page.js']);
    const compressed = Object.values(files).reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(compressed).toBeLessThan(40_000);
    const addresses = Object.values(files).flatMap((text) => text.match(/https?:\/\/[^"'`\s]+/g) ?? []);
    expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    const chunks = readdirSync(join(folder, 'plugin')).filter((name) => name.startsWith('dashboard-'));
    expect(chunks).toHaveLength(1);
    expect(readFileSync(join(folder, 'plugin', chunks[0] as string), 'utf8')).toContain('.share-starting');
    expect(readFileSync(join(folder, 'plugin', 'THIRD_PARTY_LICENSES.txt'), 'utf8')).toMatch(/^preact \d.*\(MIT\)$/m);
  });

  it('has a small entry: a command loads the rest when it needs it', () => {
    expect(statSync(main).size).toBeLessThan(10_000);
  });
});
