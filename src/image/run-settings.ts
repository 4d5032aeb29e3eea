// The user, environment, ports and command of the container, read from the last stage of the Dockerfile. So an image that is
// assembled without a container engine has the settings of one that an engine builds.

/** As the configuration of an OCI image names them. */
export interface RunSettings {
  readonly User: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The settings that a Dockerfile gives its image; engines add the path themselves. */
export function runSettings(dockerfile: string): RunSettings {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const argument = (instruction: string): string => {
    const [, value] = new RegExp(`^${instruction} (.+)$`, 'm').exec(stage) ?? [];
    if (value === undefined) throw new Error(`the Dockerfile's last stage has no ${instruction}`);
    return value.trim();
  };
  const ports = argument('EXPOSE').split(/\s+/);
  return {
    User: argument('USER'),
    ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
    Env: [PATH, ...argument('ENV').split(/\s+/)],
    Entrypoint: JSON.parse(argument('ENTRYPOINT')) as string[],
  };
}
