// A kind, declared once: its definition for the API server, the permissions of its controller, which webhooks judge its
// objects, and what runs for it. The CRDs, RBAC rules, webhook configurations, flags and the operator itself are made from
// such declarations. What runs is loaded when it is asked for, so that installing a kind does not load the operator.

import type { Client } from './client/client.ts';
import type { Controller } from './controller/controller.ts';
import type { CustomResource } from './custom-resource.ts';
import { type Admission, type InstalledKind, type Permission, webhookPath } from './installed-kind.ts';
import type { KubeObject } from './object.ts';
import type { KindFlag } from './operator/flags.ts';
import type { Operator } from './operator/operator.ts';
import { storageMigration } from './storage-migration.ts';
import type { Defaulter, Validator } from './webhook/server.ts';

/** The functions behind the webhooks of a kind. */
interface Handlers<T extends KubeObject> {
  readonly mutate: Defaulter<T>;
  readonly validate: Validator<T>;
}

/** A kind, as its author declares it. */
export interface Declaration<T extends KubeObject, A extends Admission> {
  readonly definition: CustomResource<T>;
  /** Everything that its controller and webhooks need, and nothing else. */
  readonly permissions: readonly Permission[];
  /** The webhooks that its objects pass. */
  readonly admission: readonly A[];
  /**
   * True when its validating webhook is asked about deletions, too. It can warn, but not hold them up: a deletion passes while no
   * operator answers.
   */
  readonly warnsOnDelete?: boolean;
  /** Flags of the operator that are about this kind. @default none */
  readonly flags?: readonly KindFlag[];
  /** Creates the controller. It begins to work when the operator runs it. */
  readonly controller: (operator: Operator) => Promise<Controller>;
  /** Creates the functions behind the webhooks. They ask the API server through this client, and know the flags of kinds. */
  readonly handlers: (client: Client, kindFlags: Operator['kindFlags']) => Promise<Pick<Handlers<T>, A>>;
}

/** A declaration of which it no longer matters what type its objects have. */
export interface Kind extends InstalledKind, Pick<Declaration<KubeObject, Admission>, 'flags' | 'controller'> {
  readonly handlers: (client: Client, kindFlags: Operator['kindFlags']) => Promise<Partial<Handlers<never>>>;
}

/** Checks that the parts of a declaration fit each other: there is a handler for each webhook, for objects of this kind. */
export function defineKind<T extends KubeObject, A extends Admission = never>(declaration: Declaration<T, A>): Kind {
  return declaration;
}

/** Has the operator run this kind: its controller and, unless webhooks are switched off, its webhooks. */
export async function addKind(operator: Operator, { definition, controller, handlers }: Kind): Promise<void> {
  if (definition.resource.namespaced) await operator.addControllerPerShard(controller);
  else operator.addController(await controller(operator));
  if (definition.otherVersions !== undefined) operator.add(storageMigration(operator, definition));
  if (operator.webhooks === undefined) return;
  const { mutate, validate } = await handlers(operator.webhookClient, operator.kindFlags);
  // The API server sends objects of this kind, and no others, to the paths of this kind.
  if (mutate) operator.webhooks.defaulter(webhookPath('mutate', definition), mutate);
  if (validate) operator.webhooks.validator(webhookPath('validate', definition), validate);
}
