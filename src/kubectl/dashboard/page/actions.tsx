// The actions that fit the object now. One that the caller may not take, or that the object refuses, says why.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { HeadRow, Verb, VerbsRow } from '../protocol.ts';
import { ActionDialog } from './action-dialog.tsx';
import { type Live, rowOf } from './live.ts';

export const LABELS: Readonly<Record<Verb, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  restart: 'Restart',
  undo: 'Undo',
  'set image': 'Set image',
  scale: 'Scale',
  promote: 'Promote',
  abort: 'Abort',
  retry: 'Retry',
};

interface ActionsProps {
  readonly live: Live;
  readonly head: HeadRow;
  readonly onDone: (line: string) => void;
  readonly children: ComponentChildren;
}

export function Actions({ live, head, onDone, children }: ActionsProps) {
  const [chosen, setChosen] = useState<Verb>();
  const verbs = rowOf<VerbsRow>(live, 'verbs') ?? [];
  const refusals = [...new Set(verbs.flatMap(({ refusal }) => refusal ?? []))];
  const { namespace, name } = head;
  return (
    <div class="actions">
      <div class="buttons" role="toolbar" aria-label="Actions">
        {verbs.map(({ verb, refusal, isAwaited }) => (
          <button
            key={verb}
            type="button"
            class={isAwaited ? 'primary' : undefined}
            aria-disabled={refusal !== undefined}
            title={refusal}
            onClick={() => refusal === undefined && setChosen(verb)}
          >
            {LABELS[verb]}…
          </button>
        ))}
        {children}
      </div>
      {refusals.length > 0 && (
        <ul class="refusals">
          {refusals.map((refusal) => (
            <li key={refusal}>
              {verbs
                .filter((each) => each.refusal === refusal)
                .map(({ verb }) => LABELS[verb])
                .join(', ')}
              : {refusal}
            </li>
          ))}
        </ul>
      )}
      {chosen !== undefined && (
        <ActionDialog
          head={head}
          live={live}
          request={{ verb: chosen, namespace, name }}
          onClose={() => setChosen(undefined)}
          onDone={onDone}
        />
      )}
    </div>
  );
}
