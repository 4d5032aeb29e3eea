// Names of images: what a person types, and what container engines make of it.

const NAME = /^(?:[a-z0-9.-]+(?::\d+)?\/)?[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;

/** The name with its tag; without one it is `latest`, as everywhere. Anything that is no name is refused. */
export function taggedName(image: string): string {
  const [, name = '', tag = 'latest'] = /^(.*?)(?::([^:/]*))?$/.exec(image) ?? [];
  if (NAME.test(name) && TAG.test(tag)) return `${name}:${tag}`;
  throw new Error(`IMG: expected a name such as registry.example.com/mydeployment:0.1.0, got ${JSON.stringify(image)}`);
}

/** mydeployment:0.1.0 is docker.io/library/mydeployment:0.1.0, and that is how a kubelet asks containerd for it. */
export function fullName(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')) return reference;
  return rest.length > 0 ? `docker.io/${reference}` : `docker.io/library/${reference}`;
}
