// A MyDeployment of small web servers, and the Service in front of them.

export interface WebOptions {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  /** What the servers answer. */
  readonly body: string;
  /** @default a server that answers */
  readonly command?: readonly string[];
  readonly strategy?: object;
  readonly progressDeadlineSeconds?: number;
}

/**
 * Servers that answer with `body` as soon as they are Ready. A server that is to end still answers for three seconds, for
 * clients that kube-proxy has not yet led elsewhere.
 */
export function webServers(options: WebOptions): object {
  const { namespace, name, replicas, body, strategy, progressDeadlineSeconds = 60 } = options;
  const serve = `echo ${body} >/tmp/index.html; trap 'exit 0' TERM; httpd -f -p 8080 -h /tmp & wait`;
  return {
    apiVersion: 'kubebuilder.zq.com/v1beta1',
    kind: 'MyDeployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      progressDeadlineSeconds,
      ...(strategy === undefined ? {} : { strategy }),
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: 10,
          containers: [
            {
              name: 'web',
              image: 'busybox:local',
              command: options.command ?? ['sh', '-c', serve],
              ports: [{ containerPort: 8080 }],
              readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
              livenessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 5 },
              lifecycle: { preStop: { sleep: { seconds: 3 } } },
            },
          ],
        },
      },
    },
  };
}

export function serviceOf({ namespace, name }: Pick<WebOptions, 'namespace' | 'name'>): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  };
}
