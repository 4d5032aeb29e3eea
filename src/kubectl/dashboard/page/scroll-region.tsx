// What may be longer or wider than its place. The Tab key reaches it, so that the arrow keys can scroll it.

import type { ComponentChildren, RefObject } from 'preact';

interface ScrollRegionProps {
  readonly label: string;
  readonly class: string;
  readonly region?: RefObject<HTMLElement | null>;
  readonly onScroll?: (event: { readonly currentTarget: HTMLElement }) => void;
  readonly children: ComponentChildren;
}

export function ScrollRegion({ label, class: name, region, onScroll, children }: ScrollRegionProps) {
  const more = { ...(region && { ref: region }), ...(onScroll && { onScroll }) };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the focus in order to be scrolled
    <section class={name} aria-label={label} tabIndex={0} {...more}>
      {children}
    </section>
  );
}
