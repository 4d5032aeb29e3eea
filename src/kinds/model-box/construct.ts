// A ModelBox in a cdk8s app: its spec as props, checked at synthesis as the API server would check it. The operator
// creates the Deployment and the Service in the cluster, so an app that uses the service asks the construct for its
// address.

import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { BAD_IMAGE, isImage } from '../../runtime/image.ts';
import { BAD_QUANTITY, isAmount } from '../../runtime/quantity.ts';
import { apiVersionOf } from '../../runtime/resource.ts';
import { modelBoxes } from './names.ts';
import type { ModelBoxSpec } from './types.gen.ts';

/** What a ModelBox runs, and how it is reached. */
export interface ModelBoxProps extends ModelBoxSpec {
  /**
   * Metadata of the object. Its name is also that of the Deployment, the Service and the container.
   * @default - a name made from the path of the construct
   */
  readonly metadata?: ApiObjectMetadata;
}

/** Runs one container as a Deployment with a Service, both owned by the ModelBox and kept as its spec says. */
export class ModelBox extends ApiObject {
  constructor(scope: Construct, id: string, props: ModelBoxProps) {
    const { metadata, ...spec } = props;
    const { kind } = modelBoxes;
    super(scope, id, { apiVersion: apiVersionOf(modelBoxes), kind, ...(metadata && { metadata }), spec });
    const problems = problemsOf(spec);
    if (problems.length > 0) throw new Error(`${this.node.path}: ${problems.join('; ')}`);
  }

  /** The address of the port with this number, or of the first port, for pods of the same namespace: `web:80`. */
  address(port = this.#ports[0]?.port): string {
    if (!this.#ports.some((each) => each.port === port)) {
      const there = this.#ports.map((each) => each.port).join(', ');
      throw new Error(`${this.node.path}: there is no port ${port}, only ${there}`);
    }
    return `${this.name}:${port}`;
  }

  get #ports(): ModelBoxSpec['ports'] {
    return (this.toJson() as { readonly spec: ModelBoxSpec }).spec.ports;
  }
}

type Containers = Pick<ModelBoxSpec, 'image' | 'resources' | 'containers' | 'initContainers'>;
type Amounts = NonNullable<ModelBoxSpec['resources']>;

/** One sentence for each mistake, with the invalid value. */
function problemsOf({ replicas = 0, ports, rollingUpdate = '1%', size = 'custom', ...spec }: ModelBoxSpec): string[] {
  const unnamed = ports.length > 1 ? ports.filter(({ name }) => name === undefined).map(({ port }) => port) : [];
  const nodePorts = ports.flatMap(({ nodePort }) => nodePort ?? []);
  const { serviceType = 'NodePort', resources } = spec;
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [Number.isInteger(replicas) && replicas >= 0, `replicas must be a whole number from 0, got ${replicas}`],
    [ports.length > 0, 'ports must name at least one port, got none'],
    [unnamed.length === 0, `ports ${unnamed.join(', ')} need a name, because there are ${ports.length}`],
    [/^(100|[1-9]\d?)%$/.test(rollingUpdate), `rollingUpdate must be above 0% and up to 100%, got ${rollingUpdate}`],
    [size === 'custom' || resources === undefined, `resources cannot be chosen together with size ${size}`],
    [
      serviceType === 'NodePort' || nodePorts.length === 0,
      `nodePort ${nodePorts.join(', ')} cannot be used with serviceType ${serviceType}`,
    ],
  ];
  return [...checks.filter(([holds]) => !holds).map(([, problem]) => problem), ...containerProblems(spec)];
}

/** Images, amounts and names of the containers, of the ModelBox's own and of those that come along. */
function containerProblems({ image, resources, containers = [], initContainers = [] }: Containers): string[] {
  const others = Object.entries({ containers, initContainers }).flatMap(([list, all]) =>
    all.map((container, index) => ({ ...container, path: `${list}[${index}].` })),
  );
  const names = others.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const images = [{ image, path: '' }, ...others].filter((each) => each.image !== undefined && !isImage(each.image));
  return [
    ...images.map((each) => `${each.path}image ${JSON.stringify(each.image)} is ${BAD_IMAGE}`),
    ...[{ resources, path: '' }, ...others].flatMap((each) => amountProblems(`${each.path}resources`, each.resources)),
    ...[...repeated].map((name) => `containers: there are several with the name ${JSON.stringify(name)}`),
  ];
}

function amountProblems(path: string, { requests = {}, limits = {} }: Amounts = {}): string[] {
  return Object.entries({ requests, limits }).flatMap(([list, amounts]) =>
    Object.entries(amounts)
      .filter(([, value]) => !isAmount(value))
      .map(([name, value]) => `${path}.${list}.${name} ${JSON.stringify(value)} is ${BAD_QUANTITY}`),
  );
}
