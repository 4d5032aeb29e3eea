// The lines in which two templates differ.

import type { DiffLineRow } from '../protocol.ts';
import { ScrollRegion } from './scroll-region.tsx';

const CLASSES = { ' ': 'same', '-': 'went', '+': 'came', '@': 'place' } as const;

export function DiffView({ lines, label }: { readonly lines: readonly DiffLineRow[]; readonly label: string }) {
  if (lines.length === 0) return <p class="nothing">The templates are the same.</p>;
  return (
    <ScrollRegion class="diff" label={label}>
      <pre>
        {lines.map(({ sign, text }, index) => (
          <span key={index} class={CLASSES[sign]}>
            {sign === '@' ? `@@ ${text}`.trimEnd() : `${sign}${text}`}
            {'\n'}
          </span>
        ))}
      </pre>
    </ScrollRegion>
  );
}
