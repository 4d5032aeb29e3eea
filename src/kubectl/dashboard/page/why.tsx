// What the diagnosis says, causes before consequences.

import type { WhyRow } from '../protocol.ts';

const MARKS = { good: '✔', waiting: '◌', bad: '✖' } as const;
const WORDS = { good: 'Fine', waiting: 'Wait', bad: 'Problem' } as const;

export function Why({ why }: { readonly why: WhyRow }) {
  return (
    <>
      <ul class="causes">
        {why.causes.map(({ tone, sentence, evidence, advice }) => (
          <li key={sentence} class={`cause tone-${tone}`}>
            <span class="mark" role="img" aria-label={WORDS[tone]}>
              {MARKS[tone]}
            </span>
            <div>
              <p>{sentence}</p>
              {evidence.map((line) => (
                <p key={line} class="evidence">
                  {line}
                </p>
              ))}
              {advice !== undefined && <p class="advice">{advice}</p>}
            </div>
          </li>
        ))}
      </ul>
      {why.unread.length > 0 && (
        <p class="unread">You are not allowed to read, so not considered: {why.unread.join(', ')}</p>
      )}
    </>
  );
}
