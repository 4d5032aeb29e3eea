// Gets a program that tests use onto this machine: from KUBEBUILDER_ASSETS, from the cache, or built from its Go module,
// by one process at a time. Nothing is downloaded but Go modules.

import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Clock, monotonicClock } from '../../runtime/clock.ts';
import { BinaryCache } from './cache.ts';
import { GO_VERSION } from './component.ts';
import { goBuildIn } from './go-build.ts';
import { withLock } from './lock.ts';
import { type Progress, Stopwatch } from './progress.ts';
import { CommandFailed } from './run.ts';
import type { BinarySettings } from './settings.ts';
import { type Tool, type ToolName, toolNamed } from './tool.ts';

/** Resolves with the absolute path of the tool, or rejects with an error that says what helps. */
export async function provideTool(
  name: ToolName,
  settings: BinarySettings,
  progress: Progress,
  signal?: AbortSignal,
): Promise<string> {
  const asset = settings.assetsDir === undefined ? undefined : resolve(settings.assetsDir, name);
  if (asset !== undefined && isExecutable(asset)) return asset;
  const tool = toolNamed(name);
  const cache = new BinaryCache(join(settings.cacheDir, 'tools', name), settings.verify);
  const cached = await cache.lookup(name, tool);
  if (cached.state === 'ready') return cached.path;

  const clock: Clock = monotonicClock;
  const stopwatch = new Stopwatch(name, progress, clock);
  await mkdir(cache.directory(tool), { recursive: true });
  const onWait = (pid: number): void => stopwatch.report({ step: 'waiting', pid });
  try {
    return await withLock(join(cache.directory(tool), '.lock'), { clock, signal, onWait }, async () => {
      // Looked up again: the process that held the lock may just have built it.
      const found = await cache.lookup(name, tool);
      const path = found.state === 'ready' ? found.path : await build(tool, cache, settings, stopwatch, signal);
      stopwatch.report({ step: 'ready' });
      return path;
    });
  } finally {
    stopwatch.stop();
  }
}

function build(
  tool: Tool,
  cache: BinaryCache,
  settings: BinarySettings,
  stopwatch: Stopwatch,
  signal: AbortSignal | undefined,
): Promise<string> {
  return cache.withWorkDirectory(tool, async (work) => {
    const options = { settings, work, report: stopwatch.report.bind(stopwatch), signal };
    try {
      return await cache.install(tool.name, tool, await goBuildIn(async () => tool.directory, tool, options));
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      throw new Error(
        `cannot build ${tool.name}: ${error.message}\nGo ${GO_VERSION} or newer on PATH builds it, ` +
          `or set KUBEBUILDER_ASSETS to a directory that holds ${tool.name}`,
        { cause: error },
      );
    }
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
