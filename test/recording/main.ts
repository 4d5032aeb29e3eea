// Records docs/rollout.svg and docs/canary.svg: a real shell on a real terminal, a real cluster, a rollout seen with
// `kubectl md get -w`, and one under a policy that goes back by itself. `npx node test/recording/main.ts [rollout|canary]`.
// Nothing is left running.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { Cluster } from '../../src/cluster/cluster.ts';
import { programsForPeople } from '../../src/cluster/programs.ts';
import { installOperator, startOperator } from '../../src/local/operator.ts';
import { openTerminal, type TestTerminal } from '../support/terminal.ts';
import { toSvg } from './svg.ts';
import { edit, type Frame, screenRows } from './tape.ts';

const SIZE = { columns: 92, rows: 28 };
const LOOK_MS = 40;

const webWith = (replicas: number): object => ({
  apiVersion: 'kubebuilder.zq.com/v1beta1',
  kind: 'MyDeployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: {
        labels: { app: 'web' },
        annotations: {
          'cluster.mydeployment/ready-after': '1500ms',
          'cluster.mydeployment/terminate-after': '800ms',
        },
      },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
    },
  },
});

/** Types as a person would, letter by letter, and sends the line. */
async function type(terminal: TestTerminal, line: string): Promise<void> {
  for (const letter of line) {
    terminal.type(letter);
    await delay(45);
  }
  await delay(400);
  terminal.type('\r');
}

async function until(terminal: TestTerminal, what: string, isThere: (screen: string[]) => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isThere(terminal.screen())) {
    if (Date.now() > deadline) throw new Error(`waited for ${what}, but saw:\n${terminal.screen().join('\n')}`);
    await delay(LOOK_MS);
  }
}

function shown(terminal: TestTerminal, text: string): Promise<void> {
  return until(terminal, text, (screen) => screen.join('\n').includes(text));
}

/** Waits for the shell to ask for the next line. */
function prompt(terminal: TestTerminal): Promise<void> {
  return until(terminal, 'a prompt', (screen) => screen.at(-1)?.trimEnd() === '$');
}

const POLICY = {
  apiVersion: 'kubebuilder.zq.com/v1alpha1',
  kind: 'RolloutPolicy',
  metadata: { name: 'web' },
  spec: {
    targetRef: { name: 'web' },
    steps: [{ replicas: 1, pause: { until: 'Promoted' } }],
    rollback: {},
  },
};

/** A release whose image cannot be pulled. */
const BROKEN = {
  spec: {
    template: {
      metadata: { annotations: { 'cluster.mydeployment/behaviour': 'image-pull-error' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.29' }] },
    },
  },
};

interface Story {
  readonly title: string;
  readonly replicas: number;
  readonly objects: readonly object[];
  play(terminal: TestTerminal): Promise<void>;
}

const STORIES: Readonly<Record<string, Story>> = {
  rollout: {
    title: 'A rollout of eight pods, watched with kubectl md get web -w, and taken back with kubectl md rollout undo',
    replicas: 8,
    objects: [],
    play: playRollout,
  },
  canary: {
    title:
      'A canary of one pod that is promoted with kubectl md rollout promote, and a broken one that goes back by itself',
    replicas: 6,
    objects: [POLICY],
    play: playCanary,
  },
};

async function playCanary(terminal: TestTerminal): Promise<void> {
  await prompt(terminal);
  await type(terminal, 'kubectl md set image web nginx=nginx:1.28 && kubectl md get web -w');
  await shown(terminal, 'waits for promotion');
  await delay(2_500);
  terminal.type('\u0003');
  await prompt(terminal);
  await type(terminal, 'kubectl md rollout promote web && kubectl md rollout status web');
  await shown(terminal, 'successfully rolled out');
  await prompt(terminal);
  await type(terminal, 'clear; kubectl patch md web --type=merge --patch-file=broken.json; kubectl md get web -w');
  await shown(terminal, 'was rejected');
  await delay(3_000);
  terminal.type('\u0003');
  await prompt(terminal);
  await type(terminal, 'clear; kubectl md why web');
  await shown(terminal, 'rollout retry');
  await prompt(terminal);
  await delay(500);
}

async function playRollout(terminal: TestTerminal): Promise<void> {
  await prompt(terminal);
  await type(terminal, 'kubectl md set image web nginx=nginx:1.28 && kubectl md get web -w');
  await shown(terminal, 'Progressing');
  await shown(terminal, 'Healthy');
  await delay(2_500);
  terminal.type('\u0003');
  await prompt(terminal);
  await type(terminal, 'kubectl md rollout undo web && kubectl md rollout status web');
  await shown(terminal, 'successfully rolled out');
  await prompt(terminal);
  await delay(500);
}

/** Looks at what the terminal shows, with a second emulator that is fed all that the first one was. */
async function record(terminal: TestTerminal, act: () => Promise<void>): Promise<Frame[]> {
  const emulator = new xterm.Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });
  const frames: Frame[] = [];
  const startedAt = Date.now();
  let heard = 0;
  let over = false;
  const look = async (): Promise<void> => {
    while (!over) {
      const { raw } = terminal;
      await new Promise<void>((shown) => emulator.write(raw.slice(heard), shown));
      heard = raw.length;
      frames.push({ atMs: Date.now() - startedAt, rows: screenRows(emulator) });
      await delay(LOOK_MS);
    }
  };
  const ended = act().finally(() => {
    over = true;
  });
  await Promise.all([look(), ended]);
  return frames;
}

/** A folder with the plugin under its name. */
function pluginFolder(home: string): string {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  const plugin = join(folder, 'kubectl-md');
  writeFileSync(plugin, `#!/bin/sh\nexec '${process.execPath}' '${resolve('src/kubectl/main.ts')}' "$@"\n`);
  chmodSync(plugin, 0o755);
  return folder;
}

async function main(name: string): Promise<void> {
  const story = STORIES[name];
  if (story === undefined) throw new Error(`there is no recording "${name}", only ${Object.keys(STORIES).join(', ')}`);
  const file = `docs/${name}.svg`;
  const programs = await programsForPeople();
  const cluster = await Cluster.start(programs, { name: `recording-${process.pid}` });
  try {
    await installOperator(cluster);
    await startOperator(cluster);
    for (const object of [webWith(story.replicas), ...story.objects]) {
      await cluster.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });
    }
    writeFileSync(join(cluster.home, 'broken.json'), JSON.stringify(BROKEN));
    await cluster.kubectl([
      'wait',
      'md/web',
      `--for=jsonpath={.status.availableReplicas}=${story.replicas}`,
      '--timeout=60s',
    ]);
    const path = [pluginFolder(cluster.home), dirname(programs.kubectl), process.env.PATH ?? ''].join(':');
    const env = { PATH: path, KUBECONFIG: cluster.kubeconfig, HOME: cluster.home, PS1: '$ ', ENV: '' };
    const terminal = await openTerminal(['/bin/sh', '-c', `cd '${cluster.home}' && exec /bin/sh -i`], { env, ...SIZE });
    try {
      const frames = edit(await record(terminal, () => story.play(terminal)), { shortestMs: 120, longestMs: 1_500 });
      writeFileSync(file, toSvg({ ...SIZE, frames, restMs: 3_000, title: story.title }));
      console.log(`${file}: ${frames.length} frames, ${((frames.at(-1)?.atMs ?? 0) / 1000).toFixed(1)} s`);
    } finally {
      terminal.close();
    }
  } finally {
    await cluster.stop();
  }
}

await main(process.argv[2] ?? 'rollout');
process.exit(0); // the operator ends with this process
