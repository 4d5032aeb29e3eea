// The steps of a RolloutPolicy: how many pods each has, where the rollout stands, what it waits for, and its gates with their last
// values.

import type { PlotRow, PolicyRow } from '../protocol.ts';

const PLACES = { over: 'is-passed', here: 'is-present', ahead: 'is-ahead' } as const;

export function Steps({ policy }: { readonly policy: PolicyRow }) {
  const { name, words, state, steps, plots } = policy;
  return (
    <section class="panel" aria-labelledby="steps-title">
      <h2 id="steps-title">
        Steps <span class="policy-name">rolloutpolicy/{name}</span>
      </h2>
      <p class={state === 'failed' ? 'standing tone-bad' : 'standing'}>{words}</p>
      {steps.length > 0 && (
        <ol class="steps">
          {steps.map(({ title, pods, state: place, waits, gates }) => (
            <li key={title} class={PLACES[place]} aria-current={place === 'here' ? 'step' : undefined}>
              <h3>{title}</h3>
              <p class="pause">{pods}</p>
              {waits.map((wait) => (
                <p key={wait} class="waits-for">
                  {wait}
                </p>
              ))}
              {gates.map((gate) => (
                <p key={gate} class="evidence">
                  {gate}
                </p>
              ))}
              {place === 'here' && plots.map((plot) => <Plot key={plot.name} plot={plot} />)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const [WIDTH, HEIGHT] = [120, 32];

/** The last values between the bounds of the gate. */
function Plot({ plot: { name, values, bounds } }: { readonly plot: PlotRow }) {
  const [low, high] = [Math.min(...values, ...bounds, 0), Math.max(...values, ...bounds)];
  const y = (value: number): number => HEIGHT - 2 - ((value - low) / (high - low || 1)) * (HEIGHT - 4);
  const step = WIDTH / Math.max(1, values.length - 1);
  const path = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${index * step} ${y(value)}`).join(' ');
  return (
    <p class="plot">
      <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {bounds.map((bound) => (
          <path key={bound} class="goal" d={`M0 ${y(bound)} H${WIDTH}`} />
        ))}
        <path class="line" d={path} />
        <circle cx={(values.length - 1) * step} cy={y(values.at(-1) ?? 0)} r="2" />
      </svg>
      <span>
        <span class="hidden">Last value of </span>
        {name}
        <span class="hidden">:</span> <b>{values.at(-1)}</b>
      </span>
    </p>
  );
}
