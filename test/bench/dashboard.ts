// `npm run bench:dashboard`: what `kubectl md dashboard` costs: its bytes, its first paint, and the processor time of its server and
// its page while a MyDeployment of 1,000 pods rolls and while nothing changes. Prints the table of docs/dashboard.md. `PODS=100` and
// `ROUNDS=3` change the size.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { buildPage } from '../../src/build/page.ts';
import { buildPlugin } from '../../src/build/plugin.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { myDeployments } from '../../src/kinds/my-deployment/names.ts';
import { installOperator, startOperator } from '../../src/local/operator.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import { launchBrowser } from '../support/chromium.ts';
import { range } from './concurrently.ts';
import { currentLoad, describeMachine, machineSaid } from './machine.ts';
import { usageOf } from './process-usage.ts';
import { median } from './statistics.ts';

const PODS = Number(process.env.PODS ?? 1_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CALM_MS = 10_000;
const WEB = { namespace: 'default', name: 'web' };
const OBJECT_VIEW = '#/MyDeployment/default/web';

function specOf(image: string): object {
  const labels = { app: WEB.name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
  return { replicas: PODS, selector: { matchLabels: labels }, template };
}

async function completion(client: Client): Promise<void> {
  for (;;) {
    const { metadata, status } = await client.get(myDeployments, WEB);
    const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
    if (status?.observedGeneration === metadata.generation && counts.every((count) => count === PODS)) return;
    await delay(200);
  }
}

interface Served {
  readonly address: string;
  readonly child: ChildProcess;
}

/** The program as people run it. */
async function serve(cluster: Cluster): Promise<Served> {
  const folder = join(cluster.home, 'plugin');
  await buildPlugin(folder);
  const child = spawn(process.execPath, [join(folder, 'main.js'), 'dashboard', '--no-open', '-n', WEB.namespace], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: cluster.kubeconfig },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(child.stdout, 'data');
  return { address: String(line).trim(), child };
}

interface Opening {
  readonly paintMs: number;
  /** Until every pod is drawn. */
  readonly cellsMs: number;
}

/** Opens the page of the object in a browser that has nothing of it. */
async function opening(browser: Browser, address: string): Promise<Opening> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address + OBJECT_VIEW);
  const paintMs = await told<number>(page, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
  const cellsMs = await told<number>(page, `${drawn('button.cell')} && performance.now()`);
  await context.close();
  return { paintMs, cellsMs };
}

const drawn = (cells: string): string => `document.querySelectorAll('${cells}').length >= ${PODS}`;

/** What the page says, as soon as it says something. Playwright's own waiting needs eval, which the page forbids. */
async function told<T>(page: Page, expression: string): Promise<T> {
  for (;;) {
    const value = await page.evaluate<T | undefined | false>(expression);
    if (value) return value;
    await delay(20);
  }
}

interface Cost {
  readonly seconds: number;
  readonly serverCpu: number;
  /** Of the process that runs the page. */
  readonly pageCpu: number;
  readonly pictures: number;
  /** The longest time for which the page answered nobody. */
  readonly longestMs: number;
}

/** What the server and an open page cost while `happen` goes on. */
async function costOf(
  { page, cdp, pid }: { readonly page: Page; readonly cdp: CDPSession; readonly pid: number },
  happen: () => Promise<void>,
): Promise<Cost> {
  const cpu = async () => {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    return { page: renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0), server: (await usageOf(pid)).cpuSeconds };
  };
  await page.evaluate(`(() => {
    globalThis.seen = { pictures: 0, longest: 0 };
    globalThis.watching?.forEach((watch) => watch.disconnect());
    const drawn = new MutationObserver(() => seen.pictures++);
    drawn.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const long = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    });
    long.observe({ type: 'longtask' });
    globalThis.watching = [drawn, long];
  })()`);
  const [before, began] = [await cpu(), performance.now()];
  await happen();
  const [after, seconds] = [await cpu(), (performance.now() - began) / 1_000];
  const { pictures, longest } = await page.evaluate<{ pictures: number; longest: number }>('globalThis.seen');
  return {
    seconds,
    serverCpu: after.server - before.server,
    pageCpu: after.page - before.page,
    pictures,
    longestMs: longest,
  };
}

async function measure(cluster: Cluster, { address, child }: Served, browser: Browser): Promise<void> {
  const { client } = cluster;
  const openings: Opening[] = [];
  for (const _ of range(ROUNDS)) openings.push(await opening(browser, address));
  const page = await (await browser.newContext()).newPage();
  await page.goto(address + OBJECT_VIEW);
  await told(page, drawn('button.cell.is-ready'));
  const subject = { page, cdp: await browser.newBrowserCDPSession(), pid: child.pid as number };
  const calm = await costOf(subject, () => delay(CALM_MS));
  const roll = await costOf(subject, async () => {
    await client.patch(myDeployments, WEB, { type: 'merge', body: { spec: specOf('web:2') } });
    await completion(client);
  });
  const compressed = Object.values((await buildPage()).files).reduce((sum, text) => sum + gzipSync(text).length, 0);
  const of = (field: keyof Opening): number => median(openings.map((each) => each[field]));
  const share = (cpu: number, { seconds }: Cost): string => `${(cpu / seconds).toFixed(2)} s a second`;
  const rows = [
    ['script, style and page, compressed with gzip', `${(compressed / 1_000).toFixed(0)} kB`],
    ['until the first paint', `${(of('paintMs') / 1_000).toFixed(2)} s`],
    [`until ${PODS} pods are drawn`, `${(of('cellsMs') / 1_000).toFixed(2)} s`],
    [
      `while ${PODS} pods roll, in ${roll.seconds.toFixed(0)} s: processor time of the server`,
      share(roll.serverCpu, roll),
    ],
    ['processor time of the page', share(roll.pageCpu, roll)],
    ['how often the page is drawn', `${(roll.pictures / roll.seconds).toFixed(0)} times a second`],
    ['the longest time without an answer to a key', `${roll.longestMs.toFixed(0)} ms`],
    ['while nothing changes: processor time of the server', share(calm.serverCpu, calm)],
    ['processor time of the page', share(calm.pageCpu, calm)],
  ];
  for (const [what, value] of rows) console.log(`| ${what} | ${value} |`);
}

const loadBefore = currentLoad();
const cluster = await Cluster.start(await programsForPeople(), { name: 'dashboard-bench' });
try {
  await installOperator(cluster);
  const operator = await startOperator(cluster);
  const browser = await launchBrowser();
  const served = await serve(cluster);
  try {
    await cluster.client.create(myDeployments, { metadata: WEB, spec: specOf('web:1') } as never);
    await completion(cluster.client);
    await measure(cluster, served, browser);
    console.log(`${machineSaid(await describeMachine(cluster.client, loadBefore))}; Chromium ${browser.version()}`);
  } finally {
    served.child.kill('SIGINT');
    await browser.close();
    await operator.stop();
  }
} finally {
  await cluster.stop();
}
