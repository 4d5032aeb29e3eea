import { describe, expect, it } from '@jest/globals';
import { type ApiObject, type Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { MyDeployment } from '../../../src/kinds/my-deployment/construct/construct.ts';
import type { MyDeploymentProps } from '../../../src/kinds/my-deployment/construct/props.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: Record<string, unknown>;
}

const web: kplus.ContainerProps = { image: 'nginx:1.27', portNumber: 80 };

/** What a chart renders, by kind; a kind that occurs twice is a mistake of the test. */
function synth(chart: Chart): Record<string, Manifest> {
  const manifests = Testing.synth(chart) as Manifest[];
  const byKind = Object.fromEntries(manifests.map((manifest) => [manifest.kind, manifest]));
  expect(Object.keys(byKind)).toHaveLength(manifests.length);
  return byKind;
}

function render(props: MyDeploymentProps): Manifest {
  const chart = Testing.chart();
  new MyDeployment(chart, 'web', { containers: [web], ...props });
  return synth(chart).MyDeployment as Manifest;
}

describe('MyDeployment', () => {
  it('renders a MyDeployment with the defaults of a cdk8s-plus Deployment', () => {
    expect(render({})).toMatchObject({
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      metadata: { name: 'test-web-c8ba1bf5' },
      spec: {
        replicas: 2,
        minReadySeconds: 0,
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        selector: { matchLabels: { 'cdk8s.io/metadata.addr': 'test-web-c8694308' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: { metadata: { labels: { 'cdk8s.io/metadata.addr': 'test-web-c8694308' } } },
      },
    });
  });

  it('renders every prop of its own', () => {
    const { spec } = render({
      replicas: 5,
      strategy: kplus.DeploymentStrategy.rollingUpdate({
        maxSurge: kplus.PercentOrAbsolute.absolute(2),
        maxUnavailable: kplus.PercentOrAbsolute.percent(10),
      }),
      minReady: Duration.seconds(5),
      progressDeadline: Duration.minutes(2),
      revisionHistoryLimit: 3,
      paused: true,
    });
    expect(spec).toMatchObject({
      replicas: 5,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: '10%' } },
      minReadySeconds: 5,
      progressDeadlineSeconds: 120,
      revisionHistoryLimit: 3,
      paused: true,
    });
    expect(render({ strategy: kplus.DeploymentStrategy.recreate() }).spec.strategy).toEqual({ type: 'Recreate' });
    expect(render({}).spec).not.toHaveProperty('paused');
  });

  it('renders a pod exactly as a cdk8s-plus Deployment does', () => {
    const templateOf = (make: (chart: Chart, props: kplus.DeploymentProps) => unknown, kind: string): unknown => {
      const chart = Testing.chart();
      make(chart, everyProp(chart));
      return synth(chart)[kind]?.spec.template;
    };
    const ours = templateOf((chart, props) => new MyDeployment(chart, 'web', props), 'MyDeployment');
    const theirs = templateOf((chart, props) => new kplus.Deployment(chart, 'web', props), 'Deployment');
    expect(theirs).toHaveProperty('spec.hostAliases');
    expect(ours).toEqual(theirs);
  });

  it('takes patches of the rendered object, also of fields that cdk8s-plus does not know', () => {
    const chart = Testing.chart();
    const deployment = new MyDeployment(chart, 'web', { containers: [web] });
    const object = deployment.node.defaultChild as ApiObject;
    object.addJsonPatch(JsonPatch.add('/spec/template/spec/resources', { limits: { cpu: '1' } }));
    expect(synth(chart)).toHaveProperty('MyDeployment.spec.template.spec.resources', { limits: { cpu: '1' } });
  });

  it('schedules, isolates and selects as workloads do', () => {
    const chart = Testing.chart();
    const deployment = new MyDeployment(chart, 'web', { containers: [web], select: false, isolate: true });
    deployment.select(kplus.LabelSelector.of({ labels: { app: 'web' } }));
    deployment.scheduling.tolerate(kplus.Node.tainted(kplus.NodeTaintQuery.exists('gpu')));
    const { MyDeployment: md, NetworkPolicy } = synth(chart);
    expect(md?.spec.selector).toEqual({ matchLabels: { app: 'web' } });
    expect(md?.spec.template).toMatchObject({ spec: { tolerations: [{ key: 'gpu', operator: 'Exists' }] } });
    expect(NetworkPolicy?.spec.policyTypes).toEqual(['Egress', 'Ingress']);
  });

  it('can be read and written by subjects of RBAC under its own resource name', () => {
    const chart = Testing.chart();
    const deployment = new MyDeployment(chart, 'web', { containers: [web], metadata: { name: 'web' } });
    deployment.permissions.grantRead(kplus.User.fromName(chart, 'jane', 'jane'));
    expect(synth(chart).Role).toMatchObject({
      rules: [{ apiGroups: ['kubebuilder.zq.com'], resources: ['mydeployments'], resourceNames: ['web'] }],
    });
  });

  it.each([
    { props: { replicas: -1 }, says: 'replicas must be a whole number from 0, got -1' },
    { props: { replicas: 1.5 }, says: 'replicas must be a whole number from 0, got 1.5' },
    { props: { revisionHistoryLimit: -2 }, says: 'revisionHistoryLimit must be a whole number from 0, got -2' },
    {
      props: { minReady: Duration.minutes(10) },
      says: 'progressDeadline (600s) must be greater than minReady (600s)',
    },
    {
      props: { restartPolicy: kplus.RestartPolicy.ON_FAILURE },
      says: 'restartPolicy must be Always, got OnFailure',
    },
    {
      props: { topologySpread: [{ topology: kplus.Topology.ZONE, maxSkew: 0 }] },
      says: 'maxSkew must be a whole number from 1, got 0',
    },
    {
      props: { containers: [{ image: 'Bad Image' }] },
      says: 'containers: image "Bad Image" of "main" is not an image reference: want [host[:port]/]path[:tag][@digest], the path in lower case',
    },
    {
      props: { containers: [{ image: 'a:1' }, { image: 'b:1' }] },
      says: 'containers: there are several with the name "main"',
    },
    {
      props: { containers: [{ name: 'a', image: 'a:1' }], initContainers: [{ name: 'a', image: 'b:1' }] },
      says: 'containers: there are several with the name "a"',
    },
  ])('refuses a mistake with its path: $says', ({ props, says }) => {
    expect(() => render(props)).toThrow(new Error(`test/web: ${says}`));
  });

  it('refuses a container that is added later under a name that is taken', () => {
    const chart = Testing.chart();
    new MyDeployment(chart, 'web', { containers: [{ name: 'a', image: 'a:1' }] }).addContainer({
      name: 'a',
      image: 'b:1',
    });
    expect(() => synth(chart)).toThrow('[test/web] containers: there are several with the name "a"');
  });

  it('refuses to select nothing', () => {
    expect(() => render({ select: false })).toThrow('[test/web] selects no pods');
  });

  it("refuses to select by the operator's own labels", () => {
    const chart = Testing.chart();
    const deployment = new MyDeployment(chart, 'web', { containers: [web], select: false });
    deployment.select(kplus.LabelSelector.of({ labels: { 'pod-template-hash': 'mine' } }));
    expect(() => synth(chart)).toThrow('[test/web] may not select by pod-template-hash');
  });
});

describe('the disruption budget of a MyDeployment', () => {
  const { absolute, percent } = kplus.PercentOrAbsolute;

  it('is another object, with the same name, namespace and selector', () => {
    const chart = Testing.chart();
    const metadata = { name: 'web', namespace: 'shop' };
    new MyDeployment(chart, 'web', { metadata, containers: [web], disruptionBudget: { maxUnavailable: absolute(1) } });
    const { MyDeployment: ours, PodDisruptionBudget: budget } = synth(chart);
    expect(budget).toEqual({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: ours?.spec.selector },
    });
    expect(ours?.spec).not.toHaveProperty('disruptionBudget');
  });

  it('counts labels that are selected later', () => {
    const chart = Testing.chart();
    const disruptionBudget = { minAvailable: percent(50) };
    const later = new MyDeployment(chart, 'web', { containers: [web], select: false, disruptionBudget });
    later.select(kplus.LabelSelector.of({ labels: { app: 'web' } }));
    const { PodDisruptionBudget: budget } = synth(chart);
    expect(budget?.spec).toEqual({ minAvailable: '50%', selector: { matchLabels: { app: 'web' } } });
  });

  it('is left out unless it is asked for', () => {
    const chart = Testing.chart();
    new MyDeployment(chart, 'web', { containers: [web] });
    expect(Object.keys(synth(chart))).toEqual(['MyDeployment']);
  });

  it.each([
    { budget: {}, says: 'needs either maxUnavailable or minAvailable, got neither' },
    {
      budget: { maxUnavailable: absolute(1), minAvailable: absolute(1) },
      says: 'needs either maxUnavailable or minAvailable, got maxUnavailable and minAvailable',
    },
    { budget: { maxUnavailable: absolute(-1) }, says: 'maxUnavailable must be a whole number from 0 or a percentage' },
    { budget: { minAvailable: percent(101) }, says: 'from 0% to 100%, got 101%' },
    { budget: { minAvailable: absolute(1.5) }, says: 'got 1.5' },
  ])('refuses $says', ({ budget, says }) => {
    expect(() => render({ disruptionBudget: budget })).toThrow(says);
  });
});

describe('exposing a MyDeployment', () => {
  it('makes a Service for the ports of its containers, in its namespace', () => {
    const chart = Testing.chart();
    const metadata = { namespace: 'shop' };
    const deployment = new MyDeployment(chart, 'web', { containers: [web], metadata });
    deployment.exposeViaService({ name: 'front', serviceType: kplus.ServiceType.NODE_PORT });
    expect(synth(chart).Service).toMatchObject({
      metadata: { name: 'front', namespace: 'shop' },
      spec: {
        type: 'NodePort',
        ports: [{ port: 80, targetPort: 80 }],
        selector: { 'cdk8s.io/metadata.addr': 'test-web-c8694308' },
      },
    });
  });

  it('makes an Ingress for that Service', () => {
    const chart = Testing.chart();
    new MyDeployment(chart, 'web', { containers: [web] }).exposeViaIngress('/shop');
    const { Service, Ingress } = synth(chart);
    expect(Ingress?.spec.rules).toMatchObject([
      { http: { paths: [{ path: '/shop', backend: { service: { name: Service?.metadata.name } } }] } },
    ]);
  });

  it.each([
    { name: 'no port', containers: [{ image: 'nginx' }], options: {}, says: 'no container has a port' },
    {
      name: 'a port nobody listens on',
      containers: [web],
      options: { ports: [{ port: 8080, targetPort: 81 }] },
      says: 'no container listens on port 81, only on 80',
    },
    {
      name: 'several ports without names',
      containers: [{ image: 'nginx', ports: [{ number: 80 }, { number: 443, name: 'https' }] }],
      options: {},
      says: 'port 80 needs a name, because there are 2 ports',
    },
  ])('refuses $name with its path', ({ containers, options, says }) => {
    const deployment = new MyDeployment(Testing.chart(), 'web', { containers });
    expect(() => deployment.exposeViaService(options)).toThrow(`test/web: cannot be exposed via a Service: ${says}`);
  });
});

describe('autoscaling a MyDeployment', () => {
  it('makes it the target and leaves the count to the autoscaler', () => {
    const chart = Testing.chart();
    const target = new MyDeployment(chart, 'web', { containers: [web] });
    new kplus.HorizontalPodAutoscaler(chart, 'hpa', { target, maxReplicas: 9 });
    const { MyDeployment: md, HorizontalPodAutoscaler } = synth(chart);
    expect(md?.spec).not.toHaveProperty('replicas');
    expect(HorizontalPodAutoscaler?.spec.scaleTargetRef).toEqual({
      apiVersion: 'kubebuilder.zq.com/v1beta1',
      kind: 'MyDeployment',
      name: md?.metadata.name,
    });
  });

  it('refuses two who decide on the count', () => {
    const chart = Testing.chart();
    const target = new MyDeployment(chart, 'web', { containers: [web], replicas: 3 });
    new kplus.HorizontalPodAutoscaler(chart, 'hpa', { target, maxReplicas: 9 });
    expect(() => Testing.synth(chart)).toThrow('cannot have a fixed number of replicas (3)');
  });
});

/** Something in every prop that decides on the pod. */
function everyProp(chart: Chart): kplus.DeploymentProps {
  return {
    containers: [
      {
        image: 'nginx:1.27',
        name: 'web',
        command: ['nginx'],
        args: ['-g', 'daemon off;'],
        workingDir: '/srv',
        ports: [{ number: 80, name: 'http', hostIp: '127.0.0.1' }],
        envVariables: { NODE: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.NODE_NAME) },
        envFrom: [kplus.Env.fromConfigMap(kplus.ConfigMap.fromConfigMapName(chart, 'settings', 'settings'))],
        resources: { cpu: { request: kplus.Cpu.millis(100), limit: kplus.Cpu.units(1) } },
        liveness: kplus.Probe.fromHttpGet('/live', { port: 80 }),
        readiness: kplus.Probe.fromCommand(['true'], { initialDelaySeconds: Duration.seconds(1) }),
        startup: kplus.Probe.fromTcpSocket({ port: 80 }),
        lifecycle: { preStop: kplus.Handler.fromHttpGet('/stop', { port: 80 }) },
        volumeMounts: [{ path: '/cache', volume: kplus.Volume.fromEmptyDir(chart, 'cache', 'cache') }],
        imagePullPolicy: kplus.ImagePullPolicy.IF_NOT_PRESENT,
        securityContext: { user: 1000, capabilities: { drop: [kplus.Capability.NET_RAW] } },
      },
    ],
    initContainers: [{ image: 'busybox', command: ['true'] }],
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }],
    volumes: [kplus.Volume.fromSecret(chart, 'keys', kplus.Secret.fromSecretName(chart, 'secret', 'keys'))],
    serviceAccount: kplus.ServiceAccount.fromServiceAccountName(chart, 'account', 'web'),
    automountServiceAccountToken: true,
    dns: { hostname: 'web', subdomain: 'front', hostnameAsFQDN: true, policy: kplus.DnsPolicy.DEFAULT },
    dockerRegistryAuth: kplus.Secret.fromSecretName(chart, 'registry', 'registry'),
    securityContext: { fsGroup: 2000, sysctls: [{ name: 'net.core.somaxconn', value: '1024' }] },
    terminationGracePeriod: Duration.minutes(1),
    hostNetwork: false,
    spread: true,
  };
}
