// Every command of `kubectl md` as data: its words, its arguments, its flags. Parsing, help and completion all read this
// one table, so that they agree on the flags.

export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Names the value in help; a flag without one is a switch. */
  readonly value?: string;
  /** What a switch may be set to besides true and false; the first is what it means on its own. */
  readonly choices?: readonly string[];
  readonly repeated?: true;
  readonly summary: string;
}

export interface Command {
  /** The words that select it. */
  readonly path: readonly string[];
  readonly summary: string;
  /** What follows the words, as help shows it. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  /** Whether -l, -f or -A may stand in place of the names. */
  readonly selects?: true;
  /** What the first argument names, for completion. */
  readonly completes?: 'mydeployment' | 'shell' | 'workload';
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
}

const DRY_RUN: Flag = {
  name: 'dry-run',
  choices: ['client', 'server', 'none'],
  summary: 'Say what would happen. "server" sends the change, and the server checks it without storing it.',
};
const OUTPUT: Flag = {
  name: 'output',
  short: 'o',
  value: 'json|yaml|name|jsonpath=TEMPLATE',
  summary: 'Print the object instead, as kubectl get does.',
};
const TIMEOUT: Flag = { name: 'timeout', value: 'DURATION', summary: 'Give up after this time, e.g. 30s or 5m.' };

const ANSWER_TIMEOUT: Flag = {
  ...TIMEOUT,
  summary: 'Wait for the answer of the operator for this time; 10s unless said otherwise.',
};

/** What stands in place of names. */
const SELECTION: readonly Flag[] = [
  { name: 'selector', short: 'l', value: 'LABELS', summary: 'The MyDeployments with these labels, e.g. -l app=web.' },
  {
    name: 'filename',
    short: 'f',
    value: 'FILE',
    repeated: true,
    summary: 'The MyDeployments in this file or folder; - is the standard input.',
  },
  { name: 'recursive', short: 'R', summary: 'Read the folders of -f with the folders in them.' },
];
/** The arguments of commands about one MyDeployment or several. */
const NAMES = {
  usage: 'NAME...',
  least: 1,
  most: Number.POSITIVE_INFINITY,
  selects: true,
  completes: 'mydeployment',
} as const;
const ALL_NAMESPACES: Flag = { name: 'all-namespaces', short: 'A', summary: 'The MyDeployments of every namespace.' };

/** What every command takes. */
export const globalFlags: readonly Flag[] = [
  { name: 'namespace', short: 'n', value: 'NAME', summary: 'The namespace to work in.' },
  { name: 'context', value: 'NAME', summary: 'The kubeconfig context to use.' },
  { name: 'kubeconfig', value: 'FILE', summary: 'The kubeconfig file to use.' },
  { name: 'as', value: 'USER', summary: 'The user to act as.' },
  { name: 'as-group', value: 'GROUP', repeated: true, summary: 'A group to act as; may be given more than once.' },
  { name: 'help', short: 'h', summary: 'Explain the command.' },
];

export const commands: readonly Command[] = [
  {
    path: ['get'],
    summary: 'Show a MyDeployment with its revisions and pods, or list several',
    ...NAMES,
    usage: '[NAME...]',
    least: 0,
    flags: [
      { name: 'watch', short: 'w', summary: 'Keep the picture up to date until Ctrl-C.' },
      TIMEOUT,
      OUTPUT,
      ...SELECTION,
      ALL_NAMESPACES,
    ],
    examples: ['get', 'get web', 'get web -w', 'get -A -l team=shop', "get -o jsonpath='{.items[*].metadata.name}'"],
  },
  {
    path: ['why'],
    summary: 'Say why a rollout is not moving',
    ...NAMES,
    flags: [...SELECTION, ALL_NAMESPACES],
    examples: ['why web', 'why -A'],
  },
  {
    path: ['rollout', 'status'],
    summary: 'Wait until a rollout is finished',
    ...NAMES,
    flags: [
      { name: 'watch', short: 'w', summary: 'Wait for the end; --watch=false only looks. True unless said otherwise.' },
      { name: 'revision', value: 'N', summary: 'Fail as soon as another revision than this one rolls out.' },
      { name: 'until-paused', summary: 'End with 0 as well when the rollout waits for a person.' },
      TIMEOUT,
      ...SELECTION,
    ],
    examples: ['rollout status web', 'rollout status web --timeout=5m', 'rollout status web --until-paused'],
  },
  {
    path: ['rollout', 'history'],
    summary: 'List the revisions, or show one',
    ...NAMES,
    flags: [{ name: 'revision', value: 'N', summary: 'Show the pod template of this revision.' }, OUTPUT, ...SELECTION],
    examples: ['rollout history web', 'rollout history web --revision=2'],
  },
  {
    path: ['rollout', 'diff'],
    summary: 'Show what changed between two revisions: the last two unless named',
    usage: 'NAME [FROM [TO]]',
    least: 1,
    most: 3,
    completes: 'mydeployment',
    flags: [],
    examples: ['rollout diff web', 'rollout diff web 1 3'],
  },
  {
    path: ['rollout', 'undo'],
    summary: 'Go back to an earlier revision',
    ...NAMES,
    flags: [
      { name: 'to-revision', value: 'N', summary: 'The revision to go back to; 0, the default, is the one before.' },
      DRY_RUN,
      OUTPUT,
      ...SELECTION,
    ],
    examples: ['rollout undo web', 'rollout undo web --to-revision=3 --dry-run=server'],
  },
  ...(['pause', 'resume', 'restart'] as const).map((verb): Command => {
    const summaries = {
      pause: 'Hold a rollout where it is; scaling goes on working',
      resume: 'Let a paused rollout go on',
      restart: 'Replace every pod, a few at a time',
    };
    return {
      path: ['rollout', verb],
      summary: summaries[verb],
      ...NAMES,
      flags: [DRY_RUN, OUTPUT, ...SELECTION],
      examples: [`rollout ${verb} web`, `rollout ${verb} -l team=shop`],
    };
  }),
  {
    path: ['rollout', 'promote'],
    summary: 'End the pause of a step of a RolloutPolicy',
    ...NAMES,
    flags: [
      { name: 'full', summary: 'Skip the steps that are left, and their gates.' },
      DRY_RUN,
      ANSWER_TIMEOUT,
      ...SELECTION,
    ],
    examples: ['rollout promote web', 'rollout promote web --full', 'rollout promote -l team=shop --dry-run'],
  },
  ...(['abort', 'retry'] as const).map((verb): Command => {
    const summaries = {
      abort: 'Reject the revision that rolls out, and go back to the stable one',
      retry: 'Try a rejected or failed revision again',
    };
    return {
      path: ['rollout', verb],
      summary: summaries[verb],
      ...NAMES,
      flags: [DRY_RUN, ANSWER_TIMEOUT, ...SELECTION],
      examples: [`rollout ${verb} web`, `rollout ${verb} web --dry-run=server`],
    };
  }),
  {
    path: ['set', 'image'],
    summary: 'Change the image of containers, which starts a rollout',
    ...NAMES,
    usage: 'NAME... CONTAINER=IMAGE...',
    least: 2,
    flags: [DRY_RUN, OUTPUT, ...SELECTION],
    examples: ['set image web nginx=nginx:1.28', "set image md/web '*=nginx:1.28'"],
  },
  {
    path: ['dashboard'],
    summary: 'Show all rollouts on a page in the browser, served to this machine only',
    usage: '',
    least: 0,
    most: 0,
    flags: [
      { name: 'port', value: 'N', summary: 'The port to listen on; 0, the default, is any that is free.' },
      { name: 'no-open', summary: 'Print the address and open no browser.' },
      ALL_NAMESPACES,
    ],
    examples: ['dashboard', 'dashboard -A', 'dashboard --port=8090 --no-open'],
  },
  {
    path: ['migrate'],
    summary: 'Turn a Deployment into a MyDeployment, or back, without restarting a pod',
    usage: 'deployment/NAME | md/NAME',
    least: 1,
    most: 1,
    completes: 'workload',
    flags: [{ name: 'dry-run', choices: ['client', 'none'], summary: 'Say each step and take none.' }, TIMEOUT],
    examples: ['migrate deployment/web --dry-run', 'migrate deployment/web', 'migrate md/web'],
  },
  {
    path: ['version'],
    summary: 'Print the version of this plugin',
    usage: '',
    least: 0,
    most: 0,
    flags: [],
    examples: ['version'],
  },
  {
    path: ['completion'],
    summary: 'Print a completion script',
    usage: 'bash|zsh|fish',
    least: 1,
    most: 1,
    completes: 'shell',
    flags: [],
    examples: ['completion bash > ~/.local/share/bash-completion/completions/kubectl-md'],
  },
];
