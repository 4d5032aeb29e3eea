// Container engines: which one is there, and how it builds the image from the Dockerfile.

import { spawn } from 'node:child_process';
import { run } from '../cluster/binaries/run.ts';

export const ENGINES = ['docker', 'podman', 'buildah'] as const;
export type Engine = (typeof ENGINES)[number];

const ANSWERS_WITHIN_MS = 15_000;

/** The first engine that answers. Its command alone says little: `docker` without its daemon is common. */
export async function findEngine(environment: NodeJS.ProcessEnv): Promise<Engine | undefined> {
  for (const engine of ENGINES) if (await answers(engine, environment)) return engine;
  return undefined;
}

/** The engine that a person asked for; `none` is none. */
export function engineNamed(name: string): Engine | undefined {
  if (name === 'none') return undefined;
  const engine = ENGINES.find((known) => known === name);
  if (engine === undefined)
    throw new Error(`ENGINE: expected none, ${ENGINES.join(', ')}, got ${JSON.stringify(name)}`);
  return engine;
}

/** `info` asks the daemon, where there is one, and tries the storage. */
async function answers(engine: Engine, environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await run(engine, ['info'], { environment, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return true;
  } catch {
    return false; // Not installed, not running, or not usable: for us all the same.
  }
}

/** The arguments that build `reference`. What the environment says about certificates, npm and mirrors goes along. */
export function buildArguments(engine: Engine, reference: string, env: NodeJS.ProcessEnv): string[] {
  const secrets = { ca: env.NODE_EXTRA_CA_CERTS, npmrc: env.NPMRC };
  const settings = { NODE_IMAGE: env.NODE_IMAGE, BASE_IMAGE: env.BASE_IMAGE, DEBIAN_URL: env.MYDEPLOYMENT_DEBIAN_URL };
  return [
    // Unlike the others, buildah would make one layer of all.
    ...(engine === 'buildah' ? ['build', '--layers'] : ['build']),
    ...pairs(secrets).flatMap(([id, path]) => ['--secret', `id=${id},src=${path}`]),
    ...pairs(settings).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    '--tag',
    reference,
    '.',
  ];
}

/** Builds the image into the engine's own store, showing what the engine says; resolves with whether it could. */
export async function buildWith(engine: Engine, reference: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const env = { ...environment, DOCKER_BUILDKIT: '1' };
  const child = spawn(engine, buildArguments(engine, reference, environment), { stdio: 'inherit', env });
  const code = await new Promise<number | null>((resolve, reject) =>
    child
      .once('error', (cause) =>
        reject(
          new Error(`${engine} does not start (${cause.message}); ENGINE=none builds without an engine`, { cause }),
        ),
      )
      .once('close', resolve),
  );
  return code === 0;
}

function pairs(values: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]));
}
