// Roles for users of our kinds. They are aggregated into the cluster's roles view, edit and admin, so users who may view or edit
// Deployments in a namespace may do the same with our kinds there.

import { Construct } from 'constructs';
import { versionsOf } from '../runtime/custom-resource.ts';
import type { Permission } from '../runtime/installed-kind.ts';
import { personaRole } from './names.ts';
import { clusterRole } from './roles.ts';
import type { Settings } from './settings.ts';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];

export class Personas extends Construct {
  constructor(scope: Construct, id: string, { kinds, names }: Settings) {
    super(scope, id);
    for (const { definition } of kinds) {
      const { group, plural } = definition.resource;
      const right = (subresource: string, verbs: string[]): Permission => {
        return { group, resource: `${plural}${subresource}`, verbs };
      };
      const hasScale = versionsOf(definition).some(({ scale }) => scale !== undefined);
      const scale = (...verbs: string[]) => (hasScale ? [right('/scale', verbs)] : []);
      const viewer = { name: personaRole(names, definition.singular, 'viewer'), labels: aggregatedTo('view') };
      clusterRole(this, viewer, [right('', READ), right('/status', ['get']), ...scale('get')]);
      const editor = { name: personaRole(names, definition.singular, 'editor'), labels: aggregatedTo('edit', 'admin') };
      clusterRole(this, editor, [
        right('', [...READ, ...WRITE]),
        right('/status', ['get']),
        ...scale('get', 'patch', 'update'),
      ]);
    }
  }
}

function aggregatedTo(...roles: readonly string[]): Record<string, string> {
  return Object.fromEntries(roles.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']));
}
