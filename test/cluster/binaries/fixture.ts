// What the tests of this folder share: a scratch directory, settings that touch nothing outside of it, and a Go
// command that records its calls and writes small files instead of compiling Kubernetes.

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress, ProgressEvent } from '../../../src/cluster/binaries/progress.ts';
import { type BinarySettings, binarySettings } from '../../../src/cluster/binaries/settings.ts';

/** A port of loopback where nothing listens, so that a connection is refused at once. */
export const NOBODY = 'http://127.0.0.1:2';

export class Scratch implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<Scratch> {
    return new Scratch(await mkdtemp(join(tmpdir(), 'binaries-')));
  }

  /** Settings for a machine with no network and no Go, changed as the test wants. */
  settings(changes: Partial<BinarySettings> = {}): BinarySettings {
    const host = { platform: 'linux', arch: 'x64' };
    return {
      ...binarySettings({ PATH: process.env.PATH, HOME: this.path }, host),
      ...{ kubeBaseUrl: NOBODY, etcdBaseUrl: NOBODY, kwokBaseUrl: NOBODY, kwokDigestUrl: NOBODY },
      limits: { answerMs: 5_000, stallMs: 5_000, attempts: 3, backoffMs: 1 },
      checksums: {},
      go: join(this.path, 'no-go-here'),
      ...changes,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const FAKE_GO = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
case "$1 $2" in
  "mod download") printf '{"GoMod":"%s"}' "$(dirname "$0")/upstream.mod" ;;
  "mod tidy") echo sums > go.sum ;;
  list*) echo "go: downloading example.org/a v1.0.0" >&2; printf 'a\\n\\nb\\n' ;;
  build*)
    while [ "$1" != -o ]; do shift; done
    printf half > "$2"
    echo a >&2
    BEHAVIOUR
    printf 'built %s' "$3" > "$2" ;;
esac
`;

/** A fake `go` in a directory of its own. */
export class FakeGo {
  readonly path: string;
  readonly #directory: string;

  /** `behaviour` is shell code that runs in the middle of each build. */
  constructor(directory: string, behaviour = ':') {
    this.#directory = directory;
    this.path = join(directory, 'go');
    writeFileSync(join(directory, 'calls'), '');
    writeFileSync(
      this.path,
      FAKE_GO.replace('BEHAVIOUR', () => behaviour),
      { mode: 0o755 },
    );
  }

  set upstreamModule(text: string) {
    writeFileSync(join(this.#directory, 'upstream.mod'), text);
  }

  get calls(): string[] {
    return readFileSync(join(this.#directory, 'calls'), 'utf8').split('\n').slice(0, -1);
  }

  /** The packages that were built, in order. */
  get built(): string[] {
    return this.calls.filter((call) => call.startsWith('build ')).map((call) => call.split(' ').at(-1) ?? '');
  }
}

export class RecordedProgress implements Progress {
  readonly events: ProgressEvent[] = [];

  report(event: ProgressEvent): void {
    this.events.push(event);
  }

  /** The steps that one component went through. */
  steps(component: string): string[] {
    return this.events.filter((event) => event.component === component).map((event) => event.step);
  }
}
