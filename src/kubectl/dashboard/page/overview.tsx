// Everything there is of a kind: what waits for a person first, then what moves, then what fails, then the rest.

import { useState } from 'preact/hooks';
import { GROUPS, type Group, type ItemRow, KINDS, type KindName, type SessionRow } from '../protocol.ts';
import { type Live, rowOf, rowsOf } from './live.ts';
import { hashOf } from './route.ts';
import { Age, Images, StateWord, Title } from './words.tsx';

const TITLES: Readonly<Record<Group, string>> = {
  waits: 'Waits for a person',
  moves: 'Moves',
  fails: 'Fails',
  rest: 'At rest',
};

export function Overview({ live, kind }: { readonly live: Live; readonly kind: KindName }) {
  const [search, setSearch] = useState('');
  const session = rowOf<SessionRow>(live, 'session');
  const items = rowsOf<ItemRow>(live, 'item/').map(([, item]) => item);
  const ofKind = items.filter((item) => item.kind === kind);
  const found = ofKind.filter((item) => matches(item, search)).sort(byName);
  const openFirst = (event: Event): void => {
    event.preventDefault();
    const first = GROUPS.flatMap((group) => found.filter((item) => item.group === group))[0];
    if (first !== undefined) location.hash = hashOf(first.kind, first.namespace, first.name);
  };
  return (
    <>
      <header class="top">
        <Title>{session?.namespace ?? 'All namespaces'}</Title>
        <span class="where">{session?.server}</span>
        <form class="search" onSubmit={openFirst}>
          <label for="search" class="hidden">
            Search
          </label>
          <input
            id="search"
            type="search"
            placeholder="Search name, image, state   /"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
            autocomplete="off"
            spellcheck={false}
          />
        </form>
      </header>
      <Kinds items={items} chosen={kind} />
      <main>
        {GROUPS.map((group) => (
          <Section key={group} group={group} items={found.filter((item) => item.group === group)} session={session} />
        ))}
        <Nothing live={live} session={session} kind={kind} hasAny={ofKind.length > 0} hasFound={found.length > 0} />
      </main>
    </>
  );
}

/** The kinds with how many there are, and a mark on those that need a person. */
function Kinds({ items, chosen }: { readonly items: readonly ItemRow[]; readonly chosen: KindName }) {
  return (
    <nav class="kinds" aria-label="Kinds">
      {KINDS.map((kind) => {
        const own = items.filter((item) => item.kind === kind);
        const isUrgent = own.some(({ group }) => group === 'waits' || group === 'fails');
        return (
          <a key={kind} href={hashOf(kind)} aria-current={kind === chosen ? 'page' : undefined}>
            {kind}
            <span class="count">{own.length}</span>
            {isUrgent && <span class="urgent" role="img" aria-label="needs attention" />}
          </a>
        );
      })}
    </nav>
  );
}

const COLUMNS = ['Name', 'State', 'Pods', 'Ready', 'Image', 'Age'] as const;

interface SectionProps {
  readonly group: Group;
  readonly items: readonly ItemRow[];
  readonly session: SessionRow | undefined;
}

function Section({ group, items, session }: SectionProps) {
  if (items.length === 0) return null;
  const withNamespace = session?.namespace === undefined;
  return (
    <section class={`group group-${group}`} aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>
        {TITLES[group]} <span class="count">{items.length}</span>
      </h2>
      <table class="items">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" class={`column-${column.toLowerCase()}`}>
                <span class="hidden">{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Item key={`${item.namespace}/${item.name}`} item={item} withNamespace={withNamespace} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Item({ item, withNamespace }: { readonly item: ItemRow; readonly withNamespace: boolean }) {
  const { kind, namespace, name, state, message, failing, ready, images, createdAt } = item;
  return (
    <tr>
      <th scope="row">
        <a href={hashOf(kind, namespace, name)}>{name}</a>
        {withNamespace && <span class="namespace">{namespace}</span>}
      </th>
      <td class="says">
        <StateWord state={state} /> <span class="message">{message}</span>
        {failing > 0 && <span class="alert">{failing === 1 ? '1 pod fails' : `${failing} pods fail`}</span>}
      </td>
      <td class="bar-cell">
        <Bar item={item} />
      </td>
      <td class="number">{ready}</td>
      <td class="images">
        <Images images={images} />
      </td>
      <td class="number">
        <Age since={createdAt} />
      </td>
    </tr>
  );
}

/** The pods as shares of a bar, as the terminal draws it. */
function Bar({ item: { shares } }: { readonly item: ItemRow }) {
  const parts = (['ready', 'starting', 'failing', 'old', 'missing'] as const).filter((part) => shares[part] > 0);
  const words = parts.map((part) => `${shares[part]} ${part}`).join(', ');
  return (
    <span class="bar" role="img" aria-label={words || 'no pods'}>
      {parts.map((part) => (
        <span key={part} class={`share share-${part}`} style={{ flexGrow: shares[part] }} />
      ))}
    </span>
  );
}

interface NothingProps {
  readonly live: Live;
  readonly session: SessionRow | undefined;
  readonly kind: KindName;
  readonly hasAny: boolean;
  readonly hasFound: boolean;
}

/** Why there is nothing to see. */
function Nothing({ live, session, kind, hasAny, hasFound }: NothingProps) {
  if (hasFound) return null;
  const refusal = session?.missing[kind];
  if (session === undefined) return <p class="nothing">{live.is === 'opening' ? 'Reading the cluster …' : ''}</p>;
  if (refusal !== undefined) return <p class="nothing">{refusal}</p>;
  if (hasAny) return <p class="nothing">Nothing matches the search.</p>;
  const where = session.namespace === undefined ? 'the cluster' : `namespace ${session.namespace}`;
  return (
    <p class="nothing">
      No {kind} in {where}.
    </p>
  );
}

function matches({ name, namespace, state, message, images }: ItemRow, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [name, namespace, state, message, ...images].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function byName(one: ItemRow, other: ItemRow): number {
  return one.namespace.localeCompare(other.namespace) || one.name.localeCompare(other.name);
}
