// A node whose pods have containers: containerd, kubelet, kube-proxy and a small registry in a sandbox.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../../runtime/clock.ts';
import { later } from '../../runtime/instant.ts';
import type { NodeBinaries } from '../binaries/binaries.ts';
import { CommandFailed, run } from '../binaries/run.ts';
import { GuardedProcess } from '../guarded-process.ts';
import { writeBusyboxImages } from './busybox-image.ts';
import {
  CNI_NETWORK,
  CONTAINERD_SOCKET,
  containerdConfig,
  kubeletArgs,
  kubeletConfig,
  kubeProxyConfig,
  type NodeFiles,
  PAUSE_IMAGE,
  REGISTRY_HOSTS,
  registryArgs,
} from './configuration.ts';
import { cniFolder } from './requirements.ts';
import { type Command, type Sandbox, SYSTEM_PATH } from './sandbox.ts';

export type NodeProgram = 'registry' | 'containerd' | 'kubelet' | 'kube-proxy';

export interface RealNodeSpec {
  /** The cluster's folder: configuration and logs. */
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly programs: NodeBinaries;
  /** How kubelet and kube-proxy sign in. */
  readonly kubeconfigs: Readonly<Record<'kubelet' | 'kube-proxy', string>>;
  /** The CA of those who may call the kubelet. */
  readonly clientCa: string;
}

const CONTAINERD_WITHIN_MS = 20_000;
const ENVIRONMENT = { PATH: SYSTEM_PATH };

export class RealNode {
  readonly #spec: RealNodeSpec;
  readonly #processes = new Map<NodeProgram, GuardedProcess>();
  readonly #ctr = ['ctr', `--address=${CONTAINERD_SOCKET}`, '--namespace=k8s.io'] as const;

  constructor(spec: RealNodeSpec) {
    this.#spec = spec;
  }

  /** Starts containerd and the registry, and pulls the image that every pod needs. */
  async startContainerd(): Promise<void> {
    const { home } = this.#spec;
    const { cniConfig, registries } = this.#files();
    const images = join(home, 'images');
    const config = join(home, 'containerd.toml');
    await mkdir(cniConfig);
    await writeFile(join(cniConfig, 'pods.conflist'), CNI_NETWORK);
    await mkdir(join(registries, 'docker.io'), { recursive: true });
    await writeFile(join(registries, 'docker.io', 'hosts.toml'), REGISTRY_HOSTS);
    await writeFile(config, containerdConfig(this.#files()));
    await mkdir(images);
    await writeBusyboxImages(images);
    await this.#spawn('registry', [process.execPath, ...registryArgs(images)]);
    await this.#spawn('containerd', ['containerd', `--config=${config}`]);
    await this.#pullPauseImage();
  }

  /** Starts what needs the API server. */
  async join(): Promise<void> {
    const { home, programs, kubeconfigs } = this.#spec;
    const files = this.#files();
    const kubelet = join(home, 'kubelet.yaml');
    const kubeProxy = join(home, 'kube-proxy.yaml');
    await Promise.all([writeFile(kubelet, kubeletConfig(files)), writeFile(kubeProxy, kubeProxyConfig(files))]);
    await Promise.all([
      this.#spawn('kubelet', [programs.kubelet, ...kubeletArgs(kubelet, kubeconfigs.kubelet)]),
      this.#spawn('kube-proxy', [programs['kube-proxy'], `--config=${kubeProxy}`]),
    ]);
  }

  /** Makes an image available to pods, from an OCI or Docker archive. */
  async loadImage(archive: string): Promise<void> {
    await this.exec([...this.#ctr, 'images', 'import', archive]);
  }

  /** Runs a command inside the sandbox to its end, and resolves with its standard output. */
  exec(command: Command): Promise<string> {
    const [file, ...args] = this.#spec.sandbox.inside(command);
    return run(file, args, { environment: ENVIRONMENT });
  }

  get processes(): ReadonlyMap<NodeProgram, GuardedProcess> {
    return this.#processes;
  }

  #files(): NodeFiles {
    const { home, sandbox, clientCa, kubeconfigs } = this.#spec;
    return {
      cniConfig: join(home, 'cni'),
      cniPlugins: cniFolder() as string,
      registries: join(home, 'registries'),
      clientCa,
      cgroup: sandbox.cgroup,
      kubeProxyKubeconfig: kubeconfigs['kube-proxy'],
    };
  }

  async #spawn(name: NodeProgram, command: Command): Promise<void> {
    const [file, ...args] = this.#spec.sandbox.inside(command);
    const logFile = join(this.#spec.home, 'logs', `${name}.log`);
    this.#processes.set(name, await GuardedProcess.start({ name, file, args, logFile, env: ENVIRONMENT }));
  }

  /** Tried again until containerd and the registry answer. */
  async #pullPauseImage(): Promise<void> {
    const deadline = later(monotonicClock.now(), CONTAINERD_WITHIN_MS);
    const hosts = `--hosts-dir=${this.#files().registries}`;
    for (;;) {
      try {
        await this.exec([...this.#ctr, 'images', 'pull', hosts, PAUSE_IMAGE]);
        return;
      } catch (error) {
        if (!(error instanceof CommandFailed) || monotonicClock.now() > deadline) throw error;
      }
      await delay(100);
    }
  }
}
