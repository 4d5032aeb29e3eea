// The recorded revisions: what each was made for, what differs from the present one, and the way back to it.

import { useState } from 'preact/hooks';
import type { DiffLineRow, HeadRow, HistoryRow, VerbsRow } from '../protocol.ts';
import { ActionDialog } from './action-dialog.tsx';
import { diff, problemOf } from './ask.ts';
import { DiffView } from './diff-view.tsx';
import { type Live, rowOf } from './live.ts';
import { Age, Images } from './words.tsx';

interface HistoryProps {
  readonly live: Live;
  readonly head: HeadRow;
  readonly history: HistoryRow;
  readonly onDone: (line: string) => void;
}

type Open = { readonly number: number; readonly lines?: readonly DiffLineRow[]; readonly problem?: string };

export function History({ live, head, history, onDone }: HistoryProps) {
  const [open, setOpen] = useState<Open>();
  const [target, setTarget] = useState<number>();
  const { namespace, name } = head;
  const refusal = rowOf<VerbsRow>(live, 'verbs')?.find(({ verb }) => verb === 'undo')?.refusal;
  const compare = async (number: number): Promise<void> => {
    if (open?.number === number) return setOpen(undefined);
    setOpen({ number });
    try {
      setOpen({ number, lines: await diff(namespace, name, number) });
    } catch (error) {
      setOpen({ number, problem: problemOf(error) });
    }
  };
  return (
    <>
      <table class="history">
        <thead>
          <tr>
            <th>Revision</th>
            <th>Change cause, outcome</th>
            <th>Images</th>
            <th>First recorded</th>
            <th>
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {history.map(({ number, cause, images, createdAt, outcome, isPresent, isRejected }) => (
            <tr key={number}>
              <th scope="row">
                {number}
                {isPresent && <span class="badge badge-new">present</span>}
                {isRejected && <span class="badge badge-rejected">rejected</span>}
              </th>
              <td class="cause-text">
                {cause}
                {outcome !== '' && <p class="outcome">{outcome}</p>}
              </td>
              <td class="images">
                <Images images={images} />
              </td>
              <td class="number">
                <Age since={createdAt} />
              </td>
              <td class="row-actions">
                {!isPresent && (
                  <>
                    <button type="button" aria-expanded={open?.number === number} onClick={() => void compare(number)}>
                      Compare<span class="hidden"> revision {number} with the present</span>
                    </button>
                    <button
                      type="button"
                      aria-disabled={refusal !== undefined}
                      title={refusal}
                      onClick={() => refusal === undefined && setTarget(number)}
                    >
                      Go back…<span class="hidden"> to revision {number}</span>
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open?.problem !== undefined && <p class="problem">{open.problem}</p>}
      {open?.lines !== undefined && (
        <DiffView lines={open.lines} label={`What changed from revision ${open.number} to the present one`} />
      )}
      {target !== undefined && (
        <ActionDialog
          head={head}
          live={live}
          request={{ verb: 'undo', namespace, name, revision: target }}
          onClose={() => setTarget(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}
