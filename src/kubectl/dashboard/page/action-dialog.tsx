// Asks before anything is done: what the action would do, as the server and the API server see it, and the command that does
// the same. It is done only by a click, and only to the object that was looked at.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActRequest, CapacityRow, ContainersRow, HeadRow, Preview } from '../protocol.ts';
import { LABELS } from './actions.tsx';
import { act, preview, problemOf } from './ask.ts';
import { DiffView } from './diff-view.tsx';
import { type Live, rowOf } from './live.ts';
import { Modal } from './modal.tsx';

interface ActionDialogProps {
  readonly head: HeadRow;
  readonly live: Live;
  readonly request: ActRequest;
  readonly onClose: () => void;
  /** What has been done, in words. */
  readonly onDone: (line: string) => void;
}

/** Someone who types is asked about when they pause. */
const TYPING_MS = 250;

export function ActionDialog({ head, live, request: asked, onClose, onDone }: ActionDialogProps) {
  const [request, setRequest] = useState(() => filled(asked, live));
  const [outlook, setOutlook] = useState<Outlook>({ is: 'asking' });
  const [isBusy, setBusy] = useState(false);
  usePreview(request, head.generation, setOutlook);
  const confirm = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (outlook.is !== 'previewed' || isBusy) return;
    setBusy(true);
    try {
      const { generation, attempt } = outlook.preview;
      const { line } = await act({ ...request, generation, ...(attempt !== undefined && { attempt }) });
      onClose();
      onDone(line);
    } catch (error) {
      setOutlook({ is: 'refused', because: problemOf(error) });
      setBusy(false);
    }
  };
  const label = LABELS[request.verb];
  return (
    <Modal title={titleOf(request, head)} onClose={onClose}>
      <form onSubmit={(event) => void confirm(event)}>
        <Inputs request={request} live={live} onChange={setRequest} />
        {/* One region for all that is told: a screen reader speaks of changes in a region, not of a region that is new. */}
        <div class="told" role="status">
          <Told outlook={outlook} />
        </div>
        <div class="dialog-buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={outlook.is !== 'previewed' || isBusy}>
            {label}
          </button>
        </div>
      </form>
    </Modal>
  );
}

function titleOf({ verb, revision }: ActRequest, { name }: HeadRow): string {
  if (verb === 'set image') return `Set image of ${name}`;
  return revision === undefined ? `${LABELS[verb]} ${name}` : `${LABELS[verb]} ${name} to revision ${revision}`;
}

type Outlook =
  | { readonly is: 'asking' }
  | { readonly is: 'previewed'; readonly preview: Preview }
  | { readonly is: 'refused'; readonly because: string };

/** Asks again whenever the request is another, or the generation of the object. */
function usePreview(request: ActRequest, generation: number, show: (outlook: Outlook) => void): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const asking = new AbortController();
    const wait = isFirst.current ? 0 : TYPING_MS;
    isFirst.current = false;
    const timer = setTimeout(() => {
      preview(request, asking.signal).then(
        (preview) => show({ is: 'previewed', preview }),
        (error) => !asking.signal.aborted && show({ is: 'refused', because: problemOf(error) }),
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [request, generation]);
}

function Told({ outlook }: { readonly outlook: Outlook }) {
  switch (outlook.is) {
    case 'asking':
      return <p>Asking the API server what would happen …</p>;
    case 'refused':
      return <p class="problem">{outlook.because}</p>;
    case 'previewed':
      return (
        <>
          {outlook.preview.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {outlook.preview.diff.length > 0 && (
            <DiffView lines={outlook.preview.diff} label="What changes in the template" />
          )}
          <p class="command">
            <span class="hidden">The same in the terminal: </span>
            <code>{outlook.preview.command}</code>
          </p>
        </>
      );
    default:
      return outlook satisfies never;
  }
}

interface InputsProps {
  readonly request: ActRequest;
  readonly live: Live;
  readonly onChange: (request: ActRequest) => void;
}

/** What has to be said besides the verb. */
function Inputs({ request, live, onChange }: InputsProps) {
  if (request.verb === 'scale') {
    return (
      <Field id="replicas" label="Replicas">
        <input
          id="replicas"
          type="number"
          min="0"
          required
          value={request.replicas}
          onInput={({ currentTarget }) => onChange({ ...request, replicas: currentTarget.valueAsNumber })}
        />
      </Field>
    );
  }
  if (request.verb === 'promote') {
    return (
      <label class="choice">
        <input
          type="checkbox"
          checked={request.full === true}
          onChange={({ currentTarget }) => onChange({ ...request, full: currentTarget.checked })}
        />{' '}
        Skip every step that is left
      </label>
    );
  }
  if (request.verb !== 'set image') return null;
  return (
    <>
      {(rowOf<ContainersRow>(live, 'containers') ?? []).map(({ name }) => (
        <Field key={name} id={`image-${name}`} label={`Image of ${name}`}>
          <input
            id={`image-${name}`}
            value={request.images?.[name]}
            spellcheck={false}
            autocomplete="off"
            required
            onInput={({ currentTarget }) =>
              onChange({ ...request, images: { ...request.images, [name]: currentTarget.value } })
            }
          />
        </Field>
      ))}
    </>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

function Field({ id, label, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
    </div>
  );
}

/** The request with what the object says now. */
function filled(request: ActRequest, live: Live): ActRequest {
  if (request.verb === 'scale') return { ...request, replicas: rowOf<CapacityRow>(live, 'capacity')?.wanted ?? 1 };
  if (request.verb !== 'set image') return request;
  const containers = rowOf<ContainersRow>(live, 'containers') ?? [];
  return { ...request, images: Object.fromEntries(containers.map(({ name, image }) => [name, image])) };
}
