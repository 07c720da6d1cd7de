import { Button, Group, NativeSelect, Paper, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { ProductName } from '../../ranking/ProductName.tsx';
import { useNames } from '../../ranking/products.ts';
import type { Scored } from '../../ranking/score-parts.ts';
import { type Change, type Draft, drafted, FACTORS, pinnedAt } from './draft.ts';
import { merchandisingWords } from './words.ts';

interface RuleListProps {
  store: string;
  products: readonly Scored[];
  draft: Draft;
  onDraft(draft: Draft): void;
}

const DRAGGED = 'application/x-vitrine-product';

/** A real result: products are dragged to the place where they shall stand, or onto what shall happen with them; buttons do the same. */
export function RuleList({ store, products, draft, onDraft }: RuleListProps) {
  const order = drafted(products, draft);
  const names = useNames(
    store,
    products.map(({ id }) => id),
  );
  const hidden = products.filter(({ id }) => draft.get(id)?.type === 'hide');
  const change = (id: string, next: Change | null): void => {
    const all = new Map(draft);
    if (next) all.set(id, next);
    else all.delete(id);
    onDraft(all);
  };
  const item = (product: Scored, place: number | null) => (
    <Item
      key={product.id}
      id={product.id}
      name={names.get(product.id)?.name ?? product.id}
      place={place}
      change={draft.get(product.id)}
      onPin={(position) => onDraft(pinnedAt(draft, product.id, position))}
      onChange={(next) => change(product.id, next)}
      onDropped={(id) => place !== null && onDraft(pinnedAt(draft, id, place))}
    >
      <ProductName id={product.id} product={names.get(product.id)} />
    </Item>
  );
  return (
    <div>
      <Zones onDropped={change} />
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }} data-order>
        {order.map((product, index) => item(product, index + 1))}
      </ol>
      {hidden.length > 0 && (
        <ul style={{ listStyle: 'none', margin: 0, padding: 0 }} data-hidden>
          {hidden.map((product) => item(product, null))}
        </ul>
      )}
    </div>
  );
}

/** What a product can be dropped on. */
function Zones({ onDropped }: { onDropped(id: string, change: Change): void }) {
  const words = useWords(merchandisingWords);
  const [over, setOver] = useState('');
  const zones = [
    { label: words.hide, change: { type: 'hide' } },
    { label: words.boost, change: { type: 'boost', factor: FACTORS.boost } },
    { label: words.bury, change: { type: 'bury', factor: FACTORS.bury } },
  ] as const;
  return (
    <Group grow mb="xs" className="drop-zones">
      {zones.map(({ label, change }) => (
        <Paper
          key={label}
          withBorder
          p="xs"
          className="drop-zone"
          data-zone={change.type}
          data-over={over === change.type || undefined}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(change.type);
          }}
          onDragLeave={() => setOver('')}
          onDrop={(event) => {
            event.preventDefault();
            setOver('');
            const id = event.dataTransfer.getData(DRAGGED);
            if (id !== '') onDropped(id, change);
          }}
        >
          <Text size="sm" ta="center">
            <span aria-hidden>⤵ </span>
            {label}
          </Text>
        </Paper>
      ))}
    </Group>
  );
}

interface ItemProps {
  id: string;
  name: string;
  /** Null: hidden. */
  place: number | null;
  change: Change | undefined;
  onPin(position: number): void;
  onChange(change: Change | null): void;
  onDropped(id: string): void;
  children: React.ReactNode;
}

function Item({ id, name, place, change, onPin, onChange, onDropped, children }: ItemProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dragged = event.dataTransfer.getData(DRAGGED);
    if (dragged !== '') onDropped(dragged);
  };
  return (
    <li
      draggable
      data-product={id}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, id)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="draggable"
      data-over={over || undefined}
      data-changed={change?.type}
    >
      <Group gap="xs" justify="space-between">
        <Group gap="xs" wrap="nowrap" style={{ flex: '1 1 200px', minWidth: 0 }}>
          <Text size="sm" c="dimmed" aria-hidden>
            ⠿
          </Text>
          <Text size="sm" w={28} ta="right">
            {place ?? '–'}
          </Text>
          {children}
        </Group>
        <Group gap={4}>
          {place !== null && <Moves name={name} place={place} isPinned={change?.type === 'pin'} onPin={onPin} />}
          <Fate name={name} change={change} onChange={onChange} place={place ?? 1} />
        </Group>
      </Group>
    </li>
  );
}

interface MovesProps {
  name: string;
  place: number;
  isPinned: boolean;
  onPin(position: number): void;
}

/** The same as dragging by one place, from the keyboard. */
function Moves({ name, place, isPinned, onPin }: MovesProps) {
  const words = useWords(merchandisingWords);
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${words.up} ${name}`}
        onClick={() => onPin(place - 1)}
        disabled={place === 1 && isPinned}
      >
        ↑
      </Button>
      <Button size="compact-xs" variant="default" aria-label={`${words.down} ${name}`} onClick={() => onPin(place + 1)}>
        ↓
      </Button>
    </>
  );
}

interface FateProps {
  name: string;
  change: Change | undefined;
  place: number;
  onChange(change: Change | null): void;
}

/** What is to happen with a product, chosen without dragging. */
function Fate({ name, change, place, onChange }: FateProps) {
  const words = useWords(merchandisingWords);
  const choose = (type: string): void => {
    if (type === 'pin') onChange({ type, position: place });
    else if (type === 'hide') onChange({ type });
    else if (type === 'boost' || type === 'bury') onChange({ type, factor: FACTORS[type] });
    else onChange(null);
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={`${words.whatHappens} ${name}`}
      value={change?.type ?? ''}
      onChange={({ currentTarget: { value } }) => choose(value)}
      data={[
        { value: '', label: words.asRanked },
        { value: 'pin', label: words.pin },
        { value: 'hide', label: words.hide },
        { value: 'boost', label: words.boost },
        { value: 'bury', label: words.bury },
      ]}
    />
  );
}
