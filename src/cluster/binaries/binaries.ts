// Provides the programs of the embedded cluster. Each comes from the first of these that has it: KUBEBUILDER_ASSETS, the cache, a
// verified download, a build from Go modules. Programs that exist cost a few stat calls; missing ones are downloaded or built
// into the cache by one process at a time.

import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Clock, monotonicClock } from '../../runtime/clock.ts';
import { artifact, fetchArtifact } from './artifact.ts';
import { BinaryCache } from './cache.ts';
import {
  type ClusterComponent,
  COMPONENTS,
  type Component,
  NODE_COMPONENTS,
  type NodeComponent,
  type Release,
  releaseName,
} from './component.ts';
import { DownloadError, Downloader } from './download.ts';
import { goBuild } from './go-build.ts';
import { withLock } from './lock.ts';
import { type Failure, type Missing, MissingBinaries } from './missing.ts';
import { type Activity, type Progress, Stopwatch } from './progress.ts';
import { CommandFailed } from './run.ts';
import { type BinarySettings, releaseOf } from './settings.ts';

export type Binaries = Readonly<Record<ClusterComponent, string>>;
export type NodeBinaries = Readonly<Record<NodeComponent, string>>;

type Provision = { readonly path: string } | { readonly missing: Missing };

/** Resolves with the absolute path of every component, or rejects with one error about all that are missing. */
export function binaries(settings: BinarySettings, progress: Progress, signal?: AbortSignal): Promise<Binaries> {
  return provideAll(COMPONENTS, new Provider(settings, progress, signal));
}

/** The same for the programs of a real node. */
export function nodeBinaries(
  settings: BinarySettings,
  progress: Progress,
  signal?: AbortSignal,
): Promise<NodeBinaries> {
  return provideAll(NODE_COMPONENTS, new Provider(settings, progress, signal));
}

async function provideAll<C extends Component>(
  components: readonly C[],
  provider: Provider,
): Promise<Readonly<Record<C, string>>> {
  const paths: Partial<Record<C, string>> = {};
  const missing: Missing[] = [];
  for (const component of components) {
    const outcome = await provider.provide(component);
    if ('path' in outcome) paths[component] = outcome.path;
    else missing.push(outcome.missing);
  }
  if (missing.length > 0) throw new MissingBinaries(missing);
  return paths as Readonly<Record<C, string>>;
}

class Provider {
  readonly #settings: BinarySettings;
  readonly #progress: Progress;
  readonly #signal: AbortSignal | undefined;
  readonly #clock: Clock = monotonicClock;
  readonly #cache: BinaryCache;
  readonly #downloader: Downloader;

  constructor(settings: BinarySettings, progress: Progress, signal: AbortSignal | undefined) {
    this.#settings = settings;
    this.#progress = progress;
    this.#signal = signal;
    this.#cache = new BinaryCache(join(settings.cacheDir, 'bin'), settings.verify);
    this.#downloader = new Downloader(settings.limits, this.#clock);
  }

  async provide(component: Component): Promise<Provision> {
    this.#signal?.throwIfAborted();
    const asset = this.#asset(component);
    if (asset !== undefined) return { path: asset };
    const release = releaseOf(releaseName(component), this.#settings);
    const cached = await this.#cache.lookup(component, release);
    return cached.state === 'ready' ? cached : this.#makeAlone(component, release);
  }

  #asset(component: Component): string | undefined {
    if (this.#settings.assetsDir === undefined) return undefined;
    const path = resolve(this.#settings.assetsDir, component);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      return undefined; // The directory may hold only some of them: envtest ships three.
    }
  }

  async #makeAlone(component: Component, release: Release): Promise<Provision> {
    const stopwatch = new Stopwatch(component, this.#progress, this.#clock);
    const directory = this.#cache.directory(release);
    await mkdir(directory, { recursive: true });
    const onWait = (pid: number): void => stopwatch.report({ step: 'waiting', pid });
    try {
      return await withLock(join(directory, '.lock'), { clock: this.#clock, signal: this.#signal, onWait }, () =>
        this.#make(component, release, stopwatch),
      );
    } finally {
      stopwatch.stop();
    }
  }

  async #make(component: Component, release: Release, stopwatch: Stopwatch): Promise<Provision> {
    // Looked up again: the process that held the lock may just have made it.
    const cached = await this.#cache.lookup(component, release);
    if (cached.state === 'damaged') stopwatch.report({ step: 'skipped', way: 'cache', because: cached.because });
    const outcome = cached.state === 'ready' ? cached : await this.#obtain(component, release, stopwatch);
    if ('path' in outcome) stopwatch.report({ step: 'ready' });
    return outcome;
  }

  #obtain(component: Component, release: Release, stopwatch: Stopwatch): Promise<Provision> {
    const report = (activity: Activity): void => stopwatch.report(activity);
    return this.#cache.withWorkDirectory(release, async (work) => {
      const ways: ReadonlyArray<readonly ['download' | 'go build', () => Promise<string>]> = [
        ['download', () => this.#download(component, work, report)],
        [
          'go build',
          () => goBuild(component, release, { settings: this.#settings, work, report, signal: this.#signal }),
        ],
      ];
      const failures = this.#absence(release);
      for (const [way, make] of ways) {
        const attempt = await tryWay(make);
        if ('file' in attempt) return { path: await this.#cache.install(component, release, attempt.file) };
        report({ step: 'skipped', way, because: attempt.because });
        failures.push({ way, because: attempt.because });
      }
      return { missing: { component, failures } };
    });
  }

  #download(component: Component, work: string, report: (activity: Activity) => void): Promise<string> {
    if (this.#settings.download === 'never') {
      throw new DownloadError('refused', 'switched off by MYDEPLOYMENT_DOWNLOAD=never');
    }
    return fetchArtifact(artifact(component, this.#settings), {
      downloader: this.#downloader,
      environment: this.#settings.environment,
      work,
      report,
      signal: this.#signal,
    });
  }

  #absence(release: Release): Failure[] {
    const { assetsDir } = this.#settings;
    return [
      { way: 'KUBEBUILDER_ASSETS', because: assetsDir === undefined ? 'not set' : `not in ${assetsDir}` },
      { way: 'cache', because: `not in ${this.#cache.directory(release)}` },
    ];
  }
}

type Attempt = { readonly file: string } | { readonly because: string };

/** A failed download or build is followed by the next source; any other error ends the run. */
async function tryWay(make: () => Promise<string>): Promise<Attempt> {
  try {
    return { file: await make() };
  } catch (error) {
    if (error instanceof DownloadError || error instanceof CommandFailed) return { because: error.message };
    throw error;
  }
}
