// Makes what the plan says. It is called with the key of a StaticSite whenever that, or an object that it owns, has changed.

import {
  Controller,
  configMaps,
  deployments,
  done,
  isConditionTrue,
  type Operator,
  OwnedObjects,
  type Reconcile,
  StatusWriter,
} from 'mydeployment/runtime';
import { plan } from './plan.ts';
import { staticSites } from './schema.ts';

export function staticSiteController(operator: Operator): Controller {
  const { cache, events, wallNow, controllerOptions } = operator;
  const objects = cache.informer(staticSites);
  const ownedConfigMaps = new OwnedObjects(operator, staticSites, configMaps);
  const ownedDeployments = new OwnedObjects(operator, staticSites, deployments);
  const statuses = new StatusWriter(staticSites, operator);

  const reconcile: Reconcile = async (key, { signal }) => {
    const object = objects.get(key);
    if (object === undefined) {
      statuses.forget(key);
      return done;
    }
    // The garbage collector deletes what the object owns.
    if (object.metadata.deletionTimestamp !== undefined) return done;
    const [deployment] = ownedDeployments.of(object);
    const planned = plan(object, deployment, wallNow());
    await ownedConfigMaps.ensure(object, planned.configMap, signal);
    await ownedDeployments.ensure(object, planned.deployment, signal);
    if (isConditionTrue(planned.status.conditions, 'Ready') && !isConditionTrue(object.status?.conditions, 'Ready')) {
      events.record(object, { type: 'Normal', reason: 'Ready', message: 'All pods are ready' }, staticSites);
    }
    return statuses.keep(object, planned.status, signal);
  };

  return new Controller({ ...controllerOptions, name: 'staticsite', reconcile })
    .for(objects)
    .owns(ownedConfigMaps.informer)
    .owns(ownedDeployments.informer);
}
