// The controller at work between a cache that the test fills and an API server that answers as told. Nothing moves by
// itself: what the controller asks for is written down, and the cache shows a change only when the test says so.

import { myDeployments } from '../../../src/kinds/my-deployment/names.ts';
import { myDeploymentOwner } from '../../../src/kinds/my-deployment/owner.ts';
import { Cache } from '../../../src/runtime/cache/cache.ts';
import type { Client } from '../../../src/runtime/client/client.ts';
import type { WatchOptions } from '../../../src/runtime/client/options.ts';
import type { ReconcileOutcome } from '../../../src/runtime/controller/attempt.ts';
import type { Controller } from '../../../src/runtime/controller/controller.ts';
import { silentObservers } from '../../../src/runtime/controller/observer.ts';
import { ApiError } from '../../../src/runtime/errors.ts';
import type { RecordedEvent } from '../../../src/runtime/events/event.ts';
import { type KubeObject, keyOf, type Manifest, type ObjectRef } from '../../../src/runtime/object.ts';
import { silentQueueObserver } from '../../../src/runtime/queue/observer.ts';
import type { Resource } from '../../../src/runtime/resource.ts';
import { type PodOwnerDeps, podOwnerController } from '../../../src/workload/pod-owner.ts';
import { controllerRevisions, pods } from '../../../src/workload/write-context.ts';
import { FakeWatch } from '../../runtime/cache/fake-api.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';
import { NOW } from './fixture.ts';

export interface Request {
  readonly verb: 'create' | 'get' | 'patch' | 'delete';
  readonly plural: string;
  readonly name: string;
  readonly body?: { readonly status?: unknown; readonly metadata?: unknown };
}

type Make = (deps: PodOwnerDeps) => Controller;

/** An object with the kind it is of. */
export type Placed = readonly [Resource, KubeObject];

const KINDS: readonly Resource[] = [myDeployments, pods, controllerRevisions];

/** Versions of what the cache is filled with are below this, those of what is written are above. */
const FILLED_AT = 1000;

export class ControllerWorld {
  readonly clock = new FakeClock(NOW);
  /** In the order in which they were sent; cleared by `forget`. */
  readonly requests: Request[] = [];
  /** Keys that were put into the queue. */
  readonly woken: string[] = [];
  readonly outcomes: ReconcileOutcome['kind'][] = [];
  /** Of how many owners the controller remembers writes. */
  remembered: () => number = () => 0;
  /** Events that were recorded. */
  readonly told: RecordedEvent[] = [];
  /** What a request fails with, perhaps later; undefined when it succeeds. */
  refuse: (request: Request) => Error | undefined | Promise<Error | undefined> = () => undefined;
  readonly #live = new Map<string, KubeObject>();
  readonly #watches = new Map<string, FakeWatch>();
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #version = FILLED_AT;

  /** Starts with these objects in the cluster and in the cache. */
  static async start(...objects: readonly Placed[]): Promise<ControllerWorld> {
    return ControllerWorld.of(KINDS, (deps) => podOwnerController(deps, myDeploymentOwner()), ...objects);
  }

  /** The same for another controller, which looks at these kinds. */
  static async of(kinds: readonly Resource[], make: Make, ...objects: readonly Placed[]): Promise<ControllerWorld> {
    const world = new ControllerWorld();
    await world.#start(kinds, make, objects);
    return world;
  }

  async #start(kinds: readonly Resource[], make: Make, objects: readonly Placed[]): Promise<void> {
    const client = this.#client();
    const cache = new Cache(client, { clock: this.clock, random: () => 0 });
    const consistency = {
      staleSkip() {},
      leaked() {},
      remembers: (owners: () => number) => {
        this.remembered = owners;
      },
    };
    const controller = make({
      cache,
      client,
      clock: this.clock,
      wallNow: this.clock.wallNow,
      events: { record: (_, event) => this.told.push(event) },
      metrics: { consistency: () => consistency },
      controllerOptions: {
        paceMs: 0,
        metrics: {
          queue: () => ({ ...silentQueueObserver, added: (key) => this.woken.push(key) }),
          reconciles: (...names) => ({
            ...silentObservers.reconciles(...names),
            finished: ({ kind }) => this.outcomes.push(kind),
          }),
        },
      },
    });
    this.#running = Promise.all([cache.start(this.#stop.signal), controller.start(this.#stop.signal)]);
    await settle();
    for (const [resource, object] of objects) this.live(resource, object);
    for (const resource of kinds) await this.relist(resource, ...ofKind(objects, resource));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Lets what has been set off run until it waits for something. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await settle();
  }

  /** The shortest interval between two writes of a status passes. */
  async moment(): Promise<void> {
    await this.clock.advance(100);
    await this.settled();
  }

  /** What the API server has, whatever the cache shows. */
  live({ plural }: Resource, object: KubeObject): void {
    this.#live.set(`${plural} ${keyOf(object.metadata)}`, object);
  }

  /** The cache sees a change, which is the newest there is. */
  async show(type: 'ADDED' | 'MODIFIED' | 'DELETED', { plural }: Resource, object: KubeObject): Promise<void> {
    await this.#watch(plural).send(type, {
      ...object,
      metadata: { ...object.metadata, resourceVersion: this.version },
    });
    await this.settled();
  }

  /** The cache hears that nothing has changed in any kind up to what was written last. */
  async catchUp(): Promise<void> {
    for (const { plural } of KINDS) await this.#watch(plural).bookmark(String(this.#version));
    await this.settled();
  }

  /** The cache asked for all there is, and is given these. */
  async relist({ plural }: Resource, ...objects: readonly KubeObject[]): Promise<void> {
    await this.#watch(plural).fill(String(this.#version), ...objects);
    await this.settled();
  }

  /** A watch breaks, and what it knew is too old to go on from: the cache has to ask for all there is. */
  async lose({ plural }: Resource): Promise<void> {
    await this.#watch(plural).fail(new ApiError('Gone', `${plural}: too old`));
    await this.clock.advance(5_000);
    await this.settled();
  }

  /** From here on, requests and keys are counted anew. */
  forget(): void {
    for (const log of [this.requests, this.woken, this.outcomes]) log.length = 0;
  }

  /** Names of what was asked for with this verb. */
  asked(verb: Request['verb'], { plural }: Resource): string[] {
    return this.requests.filter((one) => one.verb === verb && one.plural === plural).map(({ name }) => name);
  }

  /** The next version that the API server gives. */
  get version(): string {
    this.#version += 1;
    return String(this.#version);
  }

  #watch(plural: string): FakeWatch {
    const watch = this.#watches.get(plural);
    if (watch === undefined) throw new Error(`nobody watches ${plural}`);
    return watch;
  }

  #client(): Client {
    const client = {
      watch: ({ plural }: Resource, options: WatchOptions) => {
        const watch = new FakeWatch(options);
        this.#watches.set(plural, watch);
        return watch.events();
      },
      // The server says that it has nothing newer than what the cache was filled with.
      pages: async function* () {
        yield { metadata: { resourceVersion: String(FILLED_AT) }, items: [] };
      },
      create: async ({ plural }: Resource, body: Manifest<KubeObject>) => {
        const name = body.metadata.name as string;
        await this.#send({ verb: 'create', plural, name, body });
        return { ...body, metadata: { ...body.metadata, uid: `uid-of-${name}`, resourceVersion: this.version } };
      },
      get: async ({ plural }: Resource, ref: ObjectRef) => {
        await this.#send({ verb: 'get', plural, name: ref.name });
        const found = this.#live.get(`${plural} ${keyOf(ref)}`);
        if (found === undefined) throw new ApiError('NotFound', `${plural} ${ref.name}: NotFound`);
        return found;
      },
      patch: async ({ plural }: Resource, { name }: ObjectRef, { body }: { body: object }) => {
        await this.#send({ verb: 'patch', plural, name, body });
        const { metadata } = body as Partial<KubeObject>;
        return { metadata: { ...metadata, name, uid: `uid-of-${name}`, resourceVersion: this.version } };
      },
      delete: async ({ plural }: Resource, { name }: ObjectRef) => {
        await this.#send({ verb: 'delete', plural, name });
        return { metadata: { name, uid: `uid-of-${name}`, resourceVersion: this.version } };
      },
    };
    return client as unknown as Client;
  }

  async #send(request: Request): Promise<void> {
    this.requests.push(request);
    const refusal = await this.refuse(request);
    if (refusal !== undefined) throw refusal;
  }
}

function ofKind(objects: readonly Placed[], kind: Resource): KubeObject[] {
  return objects.filter(([resource]) => resource === kind).map(([, object]) => object);
}
