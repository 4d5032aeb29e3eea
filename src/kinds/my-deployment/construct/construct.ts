// MyDeployment for cdk8s apps: used like cdk8s-plus's Deployment, including Service, Ingress and
// HorizontalPodAutoscaler. Where Kubernetes treats built-in kinds specially, the construct requests the same treatment.

import { ApiObject, Duration, Lazy } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { RolloutPolicy, type RolloutPolicyOptions } from '../../../policy/construct.ts';
import { apiVersionOf } from '../../../runtime/resource.ts';
import { HASH_LABELS } from '../../../workload/build-pod.ts';
import { type LabelSelector, selectedKeys } from '../../../workload/selector.ts';
import { myDeployments } from '../names.ts';
import type {
  PodSelectorConfigForAnyVersion,
  ScalingTargetForAnyVersion,
  StrategyOfAnyVersion,
} from './any-version.ts';
import { addDisruptionBudget, budgetProblems } from './disruption-budget.ts';
import { servicePorts } from './expose.ts';
import { ConvertedDeployment, type DeploymentSource } from './from-deployment.ts';
import { evictionAnnotations, spreadConstraints } from './placement.ts';
import type { MyDeploymentProps, TopologySpread } from './props.ts';
import { containerProblems, propProblems } from './rules.ts';

/** A Deployment that owns its pods: no ReplicaSet in between, history kept in ControllerRevisions. */
export class MyDeployment extends kplus.Workload implements kplus.IScalable {
  /**
   * A MyDeployment with the metadata and spec of a Deployment, for apps that migrate. The Deployment is removed from
   * the app's output: containers and ports can still be added to a cdk8s-plus Deployment, but it renders no object of
   * its own.
   */
  static fromDeployment(scope: Construct, id: string, deployment: DeploymentSource): ConvertedDeployment {
    return new ConvertedDeployment(scope, id, deployment);
  }

  /** How many pods to run; undefined when the props do not say. */
  readonly replicas: number | undefined;
  readonly strategy: StrategyOfAnyVersion;
  readonly minReady: Duration;
  readonly progressDeadline: Duration;
  readonly revisionHistoryLimit: number;
  readonly paused: boolean;
  readonly resourceType = myDeployments.plural;
  /** Whether an autoscaler decides how many pods run. */
  hasAutoscaler = false;
  protected readonly apiObject: ApiObject;
  readonly #topologySpread: readonly TopologySpread[];
  readonly #safeToEvict: boolean | undefined;

  constructor(scope: Construct, id: string, props: MyDeploymentProps = {}) {
    super(scope, id, props as kplus.WorkloadProps);
    this.replicas = props.replicas;
    this.strategy = props.strategy ?? kplus.DeploymentStrategy.rollingUpdate();
    this.minReady = props.minReady ?? Duration.seconds(0);
    this.progressDeadline = props.progressDeadline ?? Duration.seconds(600);
    this.revisionHistoryLimit = props.revisionHistoryLimit ?? 10;
    this.paused = props.paused ?? false;
    this.#topologySpread = props.topologySpread ?? [];
    this.#safeToEvict = props.safeToEvict;
    this.#refuse([
      ...propProblems(props, this),
      ...budgetProblems(props.disruptionBudget),
      ...containerProblems(this.#allContainers()),
    ]);
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: apiVersionOf(myDeployments),
      kind: myDeployments.kind,
      ...(props.metadata && { metadata: props.metadata }),
      // Rendered by cdk8s-plus as a Deployment's spec; patches apply to the result and may add newer fields.
      spec: Lazy.any({ produce: () => kplus.k8s.KubeDeployment.manifest({ spec: this._toKube() }).spec }),
    });
    this.node.addValidation({
      validate: () => [...this.#selectorProblems(), ...containerProblems(this.#allContainers())],
    });
    if (props.disruptionBudget) addDisruptionBudget(this, props.disruptionBudget);
    if (this.isolate) this.connections.isolate();
  }

  /** Exposes the pods via a Service, by default on every port of their containers. */
  exposeViaService(options: kplus.DeploymentExposeViaServiceOptions = {}): kplus.Service {
    const { ports, problems } = servicePorts(this.containers, options.ports);
    this.#refuse(problems.map((problem) => `cannot be exposed via a Service: ${problem}`));
    const { namespace } = this.metadata;
    return new kplus.Service(this, `${options.name ?? ''}Service`, {
      selector: this,
      ports: [...ports],
      type: options.serviceType ?? kplus.ServiceType.CLUSTER_IP,
      metadata: { ...(namespace && { namespace }), ...(options.name && { name: options.name }) },
    });
  }

  /** Exposes the pods via a Service, and that via an Ingress under `path`. */
  exposeViaIngress(path: string, options: kplus.ExposeDeploymentViaIngressOptions = {}): kplus.Ingress {
    return this.exposeViaService(options).exposeViaIngress(path, options);
  }

  /** Rolls out by a policy: in steps, through gates, and back by itself. */
  addRolloutPolicy({ metadata, ...options }: RolloutPolicyOptions): RolloutPolicy {
    const { namespace } = this.metadata;
    return new RolloutPolicy(this, 'RolloutPolicy', {
      ...options,
      target: this,
      metadata: { ...(namespace && { namespace }), ...metadata },
    });
  }

  /** @see kplus.IScalable.markHasAutoscaler */
  markHasAutoscaler(): void {
    this.hasAutoscaler = true;
  }

  /** @see kplus.IScalable.toScalingTarget */
  toScalingTarget(): ScalingTargetForAnyVersion {
    const { kind, apiVersion, name, containers, replicas } = this;
    return { kind, apiVersion, name, containers, ...(replicas !== undefined && { replicas }) };
  }

  /** @see kplus.IPodSelector.toPodSelectorConfig */
  override toPodSelectorConfig(): PodSelectorConfigForAnyVersion {
    return super.toPodSelectorConfig() as PodSelectorConfigForAnyVersion;
  }

  /** @internal */
  _toKube(): kplus.k8s.DeploymentSpec {
    return {
      ...(!this.hasAutoscaler && { replicas: this.replicas ?? 2 }),
      ...(this.paused && { paused: true }),
      minReadySeconds: this.minReady.toSeconds(),
      progressDeadlineSeconds: this.progressDeadline.toSeconds(),
      revisionHistoryLimit: this.revisionHistoryLimit,
      selector: this._toLabelSelector(),
      strategy: this.strategy._toKube(),
      template: this.#template(),
    };
  }

  #template(): kplus.k8s.PodTemplateSpec {
    const podSpec = this._toPodSpec();
    const metadata = this.podMetadata.toJson();
    const annotations = { ...evictionAnnotations(podSpec, this.#safeToEvict), ...metadata.annotations };
    const topologySpreadConstraints = spreadConstraints(this._toLabelSelector(), this.#topologySpread);
    return {
      metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
      spec: { ...podSpec, ...(topologySpreadConstraints.length > 0 && { topologySpreadConstraints }) },
    };
  }

  #allContainers(): kplus.Container[] {
    return [...this.containers, ...this.initContainers];
  }

  /** Selectors can be added until synthesis, so a missing selector can be reported only then. */
  #selectorProblems(): string[] {
    const keys = selectedKeys(this._toLabelSelector() as LabelSelector);
    const reserved = keys.filter((key) => HASH_LABELS.includes(key));
    if (reserved.length > 0) return [`may not select by ${reserved.join(', ')}: the operator sets these labels`];
    return keys.length > 0 ? [] : ['selects no pods: call select(), or leave out `select: false`'];
  }

  #refuse(problems: readonly string[]): void {
    if (problems.length > 0) throw new Error(`${this.node.path}: ${problems.join('; ')}`);
  }
}
