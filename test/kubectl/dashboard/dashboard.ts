// The dashboard as people have it: the built plugin serves it, a real browser shows it. What a test sees must come from that address
// alone, without an error of the page.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

export interface Served {
  /** With the secret in it. */
  readonly address: string;
  /** What it told the terminal beside the address. */
  said(): string;
  /** Ends the program as Ctrl-C does; resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

export interface OpenPage extends Page {
  /** Everything that must not happen: errors of the page, requests to other addresses. */
  readonly problems: readonly string[];
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

export interface Dashboards {
  serve(args: readonly string[], kubeconfig?: string): Promise<Served>;
  /** Opens a view, such as `#/MyDeployment/default/web`. */
  open(served: Served, view?: string, look?: Look): Promise<OpenPage>;
}

/** Dashboards of the calling test file, on this cluster. */
export function useDashboards(program: string, kubeconfig: string, browser: () => Promise<Browser>): Dashboards {
  const children: ChildProcess[] = [];
  afterAll(() => children.forEach((child) => void child.kill('SIGKILL')));
  return {
    serve: async (args, other = kubeconfig) => {
      const env = { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: other };
      const child = spawn(process.execPath, [program, 'dashboard', '--no-open', ...args], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      const [told, said] = [collected(child.stdout), collected(child.stderr)];
      const address = await eventually(() => {
        if (child.exitCode !== null) throw new Error(`the dashboard ended: ${said()}`);
        expect(told()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S{32}\/\n$/);
        return told().trim();
      });
      const interrupt = async (): Promise<number | null> => {
        child.kill('SIGINT');
        await once(child, 'exit');
        return child.exitCode;
      };
      return { address, said, interrupt };
    },
    open: async ({ address }, view = '', { width = 1280, height = 900, dark = false } = {}) => {
      const context = await (await browser()).newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('dialog', (dialog) => problems.push(`a dialog: ${dialog.message()}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(address)) problems.push(`a request to ${request.url()}`);
      });
      page.on('console', (message) => {
        if (/Content.Security|TrustedHTML/i.test(message.text())) problems.push(message.text());
      });
      await page.goto(address + view);
      return Object.assign(page, { problems });
    },
  };
}

/** What axe finds wrong with the page as it is, in a word each. Run from the debugger, because the page allows no foreign script. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
  return found;
}

/** A file with this kubeconfig. */
export function kubeconfigFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'dashboard-')), 'kubeconfig');
  writeFileSync(file, text);
  return file;
}

function collected(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}
