// How `mydeployment create` is called, for those who ask or have it wrong.

export const USAGE = `usage: mydeployment create operator NAME --group GROUP --kind KIND [--version VERSION] [--plural PLURAL]
       mydeployment create kind --kind KIND [--group GROUP] [--version VERSION] [--plural PLURAL]
       mydeployment create webhook --kind KIND
       mydeployment create version --kind KIND --version VERSION
`;

/** Whether a person asks how it goes. */
export function isHelp(args: readonly string[]): boolean {
  return args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h');
}
