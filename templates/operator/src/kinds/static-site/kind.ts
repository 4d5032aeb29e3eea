// StaticSite, as the operator installs and runs it.

import { configMaps, defineKind, deployments, toOwn, toReconcile, toRecordEvents } from 'mydeployment/runtime';
import { staticSiteDefinition, staticSites } from './schema.ts';

export const staticSiteKind = defineKind({
  definition: staticSiteDefinition,
  permissions: [...toReconcile(staticSites), ...toOwn(configMaps), ...toOwn(deployments), toRecordEvents],
  admission: [],
  controller: async (operator) => (await import('./controller.ts')).staticSiteController(operator),
  handlers: async () => ({}),
});
