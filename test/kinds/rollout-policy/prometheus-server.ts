// A real Prometheus from Debian's package, with data of its own: it scrapes what a test exports, every second.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, GuardedProcess } from '../../../src/testing/index.ts';
import { eventually } from '../../support/eventually.ts';

export interface PrometheusServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it; it scrapes this target, whose labels count. */
export async function startPrometheus(target: string): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const [port] = (await freePorts(1)) as [number];
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'test', honor_labels: true, static_configs: [{ targets: [target] }] }],
  };
  const configFile = join(folder, 'prometheus.yml');
  await writeFile(configFile, JSON.stringify(config)); // JSON is YAML
  const server = await GuardedProcess.start({
    name: 'prometheus',
    file: '/usr/bin/prometheus',
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    logFile: join(folder, 'prometheus.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (!(await fetch(`${url}/-/ready`)).ok) throw new Error('Prometheus is not ready');
  });
  return { url, stop: async () => void (await server.stop(5000)) };
}
