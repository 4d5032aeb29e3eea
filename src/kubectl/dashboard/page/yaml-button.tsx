// Shows the object as YAML.

import { useEffect, useState } from 'preact/hooks';
import type { HeadRow } from '../protocol.ts';
import { problemOf, text } from './ask.ts';
import { Modal } from './modal.tsx';
import { ScrollRegion } from './scroll-region.tsx';

export function YamlButton({ head }: { readonly head: HeadRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        YAML
      </button>
      {isOpen && <YamlPanel head={head} onClose={() => setOpen(false)} />}
    </>
  );
}

function YamlPanel({ head, onClose }: { readonly head: HeadRow; readonly onClose: () => void }) {
  const [shown, setShown] = useState('');
  const { kind, namespace, name } = head;
  useEffect(() => {
    const reading = new AbortController();
    text('yaml', { kind, namespace, name }, reading.signal)
      .then((answer) => answer.text())
      .then(setShown, (error) => !reading.signal.aborted && setShown(problemOf(error)));
    return () => reading.abort();
  }, [kind, namespace, name]);
  return (
    <Modal title={`${kind.toLowerCase()}/${name}`} shape="drawer" onClose={onClose}>
      <ScrollRegion class="text" label="YAML">
        <pre>{shown}</pre>
      </ScrollRegion>
    </Modal>
  );
}
