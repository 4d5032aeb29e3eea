// Completion scripts. They call `kubectl-md __complete WORD...`, which prints what may follow; kubectl asks plugins the same way
// through kubectl_complete-md.

import { UsageError } from './arguments.ts';

const SHELLS = {
  bash: `# bash completion for kubectl-md and mydeployment
_kubectl_md() {
  local IFS=$'\\n'
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null | grep -v '^:' | cut -f1))
}
complete -F _kubectl_md kubectl-md mydeployment
`,
  zsh: `#compdef kubectl-md mydeployment
_kubectl_md() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null | grep -v '^:' | tr '\\t' ':')}")
  _describe 'kubectl md' candidates
}
compdef _kubectl_md kubectl-md mydeployment
`,
  fish: `# fish completion for kubectl-md and mydeployment
function __kubectl_md_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null | string match -v ':*'
end
complete -c kubectl-md -f -a '(__kubectl_md_complete)'
complete -c mydeployment -f -a '(__kubectl_md_complete)'
`,
} as const;

export const shells: readonly string[] = Object.keys(SHELLS);

/** The script for this shell. */
export function completionScript(shell: string): string {
  const script = Object.entries(SHELLS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw new UsageError(`no completion for "${shell}": there is ${shells.join(', ')}`);
  return script;
}
