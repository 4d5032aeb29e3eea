// The objects that a contender's controllers have to keep: one called "web", or a fleet of small ones. Works say which
// scenery they need before they begin; what is there already is used as it is.

import { rolloutPolicies } from '../../src/policy/resource.ts';
import type { RolloutPolicySpecPods } from '../../src/policy/types.gen.ts';
import type { Client } from '../../src/runtime/client/client.ts';
import type { Resource } from '../../src/runtime/resource.ts';
import { concurrently, range } from './concurrently.ts';
import type { Setting } from './stage.ts';
import { type Condition, pods } from './stopwatch.ts';
import { QUARTER, type Strategy, toImage, type Workload, workload } from './workload.ts';

export interface SceneryProps {
  readonly client: Client;
  readonly kind: Resource<Workload>;
  readonly namespace: string;
  /** Waits until something is true of the pods. */
  readonly until: (what: string, holds: Condition) => Promise<unknown>;
}

interface Objects {
  readonly names: readonly string[];
  readonly podsEach: number;
  readonly strategy: Strategy;
  /** What the policy of each says of its pods. @default there is none */
  readonly policy?: RolloutPolicySpecPods;
}

const NOTHING: Objects = { names: [], podsEach: 0, strategy: QUARTER };
const WEB = ['web'];

export class Scenery implements Setting {
  readonly #props: SceneryProps;
  #objects = NOTHING;
  #version = 1;

  constructor(props: SceneryProps) {
    this.#props = props;
  }

  /** How many pods all objects together ask for. */
  get wanted(): number {
    return this.#objects.names.length * this.#objects.podsEach;
  }

  get names(): readonly string[] {
    return this.#objects.names;
  }

  /** All pods are Ready and run the image of the moment, and none but these is active. */
  readonly isUp: Condition = (all) => all.ready(this.#image) === this.wanted && all.active === this.wanted;

  readonly isGone: Condition = (all) => all.present === 0;

  async warmUp(size: number): Promise<void> {
    await this.web(size);
    await this.roll();
    await this.#props.until('all pods are new', this.isUp);
    await this.clear();
  }

  /** Makes sure that there is one object with that many pods, and nothing else. */
  async web(replicas: number, strategy: Strategy = QUARTER, policy?: RolloutPolicySpecPods): Promise<void> {
    const { names, strategy: present, policy: governs } = this.#objects;
    if (names !== WEB || present !== strategy || governs !== policy) {
      await this.clear();
      await this.#create({ names: WEB, podsEach: 0, strategy, ...(policy && { policy }) });
    }
    if (this.#objects.podsEach !== replicas) await this.scale(replicas);
    await this.#props.until(`web has ${replicas} pods`, replicas === 0 ? this.isGone : this.isUp);
  }

  /** Makes sure that there is a fleet of that many objects with that many pods each, and nothing else. */
  async fleet(objects: number, podsEach: number): Promise<void> {
    const { names, podsEach: present } = this.#objects;
    if (names === WEB || names.length !== objects || present !== podsEach) {
      await this.clear();
      await this.createFleet(objects, podsEach);
    }
    await this.#props.until(`the fleet of ${objects} × ${podsEach} pods is up`, this.isUp);
  }

  /** Asks for a fleet where there is nothing. */
  createFleet(objects: number, podsEach: number): Promise<void> {
    return this.#create({ names: range(objects).map((index) => `fleet-${index}`), podsEach, strategy: QUARTER });
  }

  /** Asks every object for that many pods. */
  async scale(replicas: number): Promise<void> {
    this.#objects = { ...this.#objects, podsEach: replicas };
    await this.#patch({ spec: { replicas } });
  }

  /** Asks every object for another image. */
  async roll(): Promise<void> {
    this.#version++;
    await this.#patch(toImage(this.#image));
  }

  async deletePods(names: readonly string[]): Promise<void> {
    const { client, namespace } = this.#props;
    await concurrently(names, (name) => client.delete(pods, { namespace, name }));
  }

  /** Deletes all objects and waits until the garbage collector has taken their pods. */
  async clear(): Promise<void> {
    const { client, kind, namespace, until } = this.#props;
    if (this.#objects === NOTHING) return;
    await client.deleteCollection(kind, { namespace, propagationPolicy: 'Background' });
    if (this.#objects.policy !== undefined) await client.deleteCollection(rolloutPolicies, { namespace });
    await until('nothing is left', this.isGone);
    this.#objects = NOTHING;
    this.#version++; // what comes next must not find revisions of the same template that are still being collected
  }

  get #image(): string {
    return `app:v${this.#version}`;
  }

  async #create(objects: Objects): Promise<void> {
    const { client, kind, namespace } = this.#props;
    const { names, podsEach: replicas, strategy, policy: pods } = objects;
    const image = this.#image;
    this.#objects = objects;
    if (pods !== undefined) {
      const policyOf = (name: string) => ({ metadata: { namespace, name }, spec: { targetRef: { name }, pods } });
      await concurrently(names, (name) => client.create(rolloutPolicies, policyOf(name)));
    }
    await concurrently(names, (name) => client.create(kind, workload({ namespace, name, replicas, image, strategy })));
  }

  async #patch(body: object): Promise<void> {
    const { client, kind, namespace } = this.#props;
    await concurrently(this.#objects.names, (name) => client.patch(kind, { namespace, name }, { type: 'merge', body }));
  }
}
