// A MyDeployment of small web servers in real containers, and the Service in front of them.

import { expect } from '@jest/globals';
import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import type { MyDeployment } from '../../../src/kinds/my-deployment/types.gen.ts';
import { type Pod as FullPod, pods as fullPods } from '../../../src/runtime/built-in.ts';
import { eventually } from '../../support/eventually.ts';
import type { RealCluster } from './real-cluster.ts';

export interface WebOptions {
  readonly replicas: number;
  /** What the servers answer. */
  readonly body: string;
  /** @default a server that answers */
  readonly command?: readonly string[];
  /** More of the MyDeployment's spec. */
  readonly spec?: object;
  /** More of the container. */
  readonly container?: object;
  /** More of the pod's spec. */
  readonly pod?: object;
}

/** A probe that fails two seconds after its page is gone. */
export function probe(path: string): object {
  return { httpGet: { path, port: 8080 }, periodSeconds: 1, failureThreshold: 2 };
}

export class WebServers {
  readonly #real: RealCluster;
  readonly namespace: string;
  readonly name: string;

  constructor(real: RealCluster, namespace: string, name = 'web') {
    this.#real = real;
    this.namespace = namespace;
    this.name = name;
  }

  /** Applies the MyDeployment. */
  async apply(options: WebOptions): Promise<void> {
    await this.#real.apply(this.#manifest(options));
  }

  /** Applies it and waits for the end of the rollout. */
  async rollOut(options: WebOptions): Promise<void> {
    await this.apply(options);
    await this.rolledOut();
  }

  async scale(replicas: number): Promise<void> {
    const body = { spec: { replicas } };
    await this.#real.cluster.client.patch(myDeployments, this, { type: 'merge', body });
    await this.rolledOut();
  }

  /** Waits until the status says that all pods are of the newest template and available, and that no other is left. */
  rolledOut(withinMs?: number): Promise<void> {
    return eventually(async () => {
      const { metadata, spec, status } = await this.get();
      expect(status).toMatchObject({
        observedGeneration: metadata.generation,
        replicas: spec.replicas,
        updatedReplicas: spec.replicas,
        availableReplicas: spec.replicas,
        terminatingReplicas: 0,
      });
    }, withinMs);
  }

  /** Applies it, and waits until there are pods of its template beside older ones. */
  async beginRollout(options: WebOptions): Promise<void> {
    const old = await this.uids();
    await this.apply(options);
    await eventually(async () => {
      const isOld = (await this.uids()).map((uid) => old.includes(uid));
      expect(new Set(isOld)).toEqual(new Set([true, false]));
    });
  }

  get(): Promise<MyDeployment> {
    return this.#real.cluster.client.get(myDeployments, this);
  }

  async pods(): Promise<readonly FullPod[]> {
    const { namespace, name } = this;
    return (await this.#real.cluster.client.list(fullPods, { namespace, labelSelector: `app=${name}` })).items;
  }

  async uids(): Promise<readonly string[]> {
    return (await this.pods()).map(({ metadata }) => metadata.uid).sort();
  }

  /** Puts a Service in front of them; returns its URL inside the node's network. */
  async expose(): Promise<string> {
    const { namespace, name } = this;
    await this.#real.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const address = ['get', 'service', name, '-n', namespace, '-o', 'jsonpath={.spec.clusterIP}'];
    return `http://${await this.#real.kubectl(address)}/`;
  }

  /**
   * Servers that answer with `body` as soon as they are Ready. A server that is to end still answers for three seconds, for
   * clients that kube-proxy has not yet led elsewhere.
   */
  #manifest({ replicas, body, command, spec, container, pod }: WebOptions): object {
    const { namespace, name } = this;
    const serve = `echo ${body} >/tmp/index.html; trap 'exit 0' TERM; httpd -f -p 8080 -h /tmp & wait`;
    return {
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      metadata: { name, namespace },
      spec: {
        replicas,
        ...spec,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            terminationGracePeriodSeconds: 10,
            ...pod,
            containers: [
              {
                name: 'web',
                image: 'busybox:local',
                command: command ?? ['sh', '-c', serve],
                ports: [{ containerPort: 8080 }],
                readinessProbe: probe('/'),
                lifecycle: { preStop: { sleep: { seconds: 3 } } },
                ...container,
              },
            ],
          },
        },
      },
    };
  }
}
