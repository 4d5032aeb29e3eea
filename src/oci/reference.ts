// Names of images: as users write them, and in full as container engines use them.

const NAME = /^(?:[a-z0-9.-]+(?::\d+)?\/)?[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;

/** The name with its tag, by default `latest`. Throws for anything that is not a name of an image. */
export function taggedName(image: string): string {
  const [, name = '', tag = 'latest'] = /^(.*?)(?::([^:/]*))?$/.exec(image) ?? [];
  if (NAME.test(name) && TAG.test(tag)) return `${name}:${tag}`;
  throw new Error(`IMG: expected a name such as registry.example.com/mydeployment:0.1.0, got ${JSON.stringify(image)}`);
}

/** The kubelet asks containerd for mydeployment:0.1.0 as docker.io/library/mydeployment:0.1.0. */
export function fullName(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')) return reference;
  return rest.length > 0 ? `docker.io/${reference}` : `docker.io/library/${reference}`;
}
