// `set image NAME CONTAINER=IMAGE...`: gives containers another image. `*` stands for all containers, as in kubectl.

import type { MyDeployment } from '../kinds/my-deployment/types.gen.ts';
import type { Container } from '../workload/template-schema.ts';
import { UsageError } from './arguments.ts';
import type { ObjectContext } from './context.ts';
import { editTarget } from './edit.ts';

/** The names come first. */
export function namesBeforeImages(args: readonly string[]): readonly string[] {
  const first = args.findIndex((word) => word.includes('='));
  if (first < 0) throw new UsageError(`no CONTAINER=IMAGE after ${args.join(' ')}`);
  return args.slice(0, first);
}

export function setImage(context: ObjectContext): Promise<number> {
  const images = parseImages(context.args.slice(namesBeforeImages(context.args).length));
  return editTarget(context, (object) => withImages(object, images), { done: 'image updated' });
}

/** Containers and their images, as they were typed. */
export function parseImages(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const equals = word.indexOf('=');
      const [container, image] = [word.slice(0, equals), word.slice(equals + 1)];
      if (equals < 1 || image === '') throw new UsageError(`"${word}" is not of the form CONTAINER=IMAGE`);
      return [container, image];
    }),
  );
}

/** The object with these images, in containers and init containers alike. */
export function withImages(object: MyDeployment, images: ReadonlyMap<string, string>): MyDeployment {
  const { template } = object.spec;
  const { containers, initContainers } = template.spec;
  const names = [...containers, ...(initContainers ?? [])].map(({ name }) => name);
  for (const container of images.keys()) {
    if (container !== '*' && !names.includes(container)) {
      throw new Error(`unable to find container named "${container}"; there is ${names.join(', ')}`);
    }
  }
  const changed = (container: Container): Container => {
    const image = images.get(container.name) ?? images.get('*');
    return image === undefined ? container : { ...container, image };
  };
  const spec = {
    ...template.spec,
    containers: containers.map(changed),
    ...(initContainers && { initContainers: initContainers.map(changed) }),
  };
  return { ...object, spec: { ...object.spec, template: { ...template, spec } } };
}
