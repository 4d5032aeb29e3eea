// A dialog over the page. The browser keeps the focus in it, closes it at Escape and gives the focus back.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ModalProps {
  readonly title: string;
  readonly shape?: 'dialog' | 'drawer';
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Modal({ title, shape = 'dialog', onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current: dialog } = ref;
    dialog?.showModal();
    // However it ends, the focus goes back to where it came from.
    return () => dialog?.close();
  }, []);
  const closeOutside = ({ target }: Event): void => {
    if (target === ref.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click outside does
    <dialog ref={ref} class={`modal is-${shape}`} aria-label={title} onClose={onClose} onClick={closeOutside}>
      <div class="modal-body">
        <header class="modal-head">
          <h2>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
