// `make image`: the operator's image. If a container engine answers, it builds the image from the Dockerfile; otherwise this
// program assembles the image and writes archives. The Dockerfile calls `layers`, so both ways give the same files.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { assemble, layersFor, partSources } from './image/assemble.ts';
import { buildWith, ENGINES, engineNamed, findEngine } from './image/engine.ts';
import { operatorBundle } from './image/operator-layer.ts';
import { architectureOf } from './oci/image.ts';
import { taggedName } from './oci/reference.ts';
import { writeFolder } from './oci/tree.ts';

const USAGE = `usage: image build [--image NAME:TAG] [--engine none|${ENGINES.join('|')}] [--out FOLDER]
       image layers [--arch ARCHITECTURE] [--out FOLDER]
`;

/** If an engine that the user did not choose fails, for example without a registry, the image is assembled without it. */
async function build(reference: string, wanted: string | undefined, out: string): Promise<void> {
  const { env } = process;
  const engine = wanted === undefined ? await findEngine(env) : engineNamed(wanted);
  if (engine !== undefined) {
    console.log(`Building ${reference} with ${engine} ...`);
    if (await buildWith(engine, reference, env)) return;
    if (wanted !== undefined)
      throw new Error(`${engine} could not build the image; ENGINE=none builds it without an engine`);
    console.log(`${engine} could not build the image.`);
  }
  console.log(`Building ${reference} without a container engine ...`);
  for (const path of await assemble(reference, out, env)) {
    console.log(`  - ${path} (${(statSync(path).size / 1e6).toFixed(1)} MB)`);
  }
}

/** For the Dockerfile: what each layer holds, in a folder for each. */
async function writeLayers(arch: string, out: string): Promise<void> {
  const layers = await layersFor(architectureOf(arch), await operatorBundle(), partSources(process.env));
  for (const [index, name] of ['node', 'operator'].entries()) {
    await writeFolder(join(out, name), layers[index]?.entries ?? []);
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      image: { type: 'string' },
      engine: { type: 'string' },
      arch: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { image, engine, arch, out } = values;
  switch (positionals.join(' ')) {
    case 'build':
      return build(
        taggedName(image || `${packageJson.name}:${packageJson.version}`),
        engine || undefined,
        out ?? 'dist',
      );
    case 'layers':
      return writeLayers(arch || process.arch, out ?? 'dist/layers');
    default:
      process.stderr.write(USAGE);
      process.exitCode = 1;
  }
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
