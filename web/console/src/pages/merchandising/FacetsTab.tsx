import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { answerOf, api, ApiFailure } from '../../api/client.ts';
import { useWords } from '../../app/language.tsx';
import { SHARED, useAction, useLoaded } from '../../api/hooks.ts';
import { useSession } from '../../app/session.tsx';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { merchandisingWords } from './words.ts';

interface Facet {
  attribute: string;
  label?: string | undefined;
  values?: number | undefined;
  order?: 'count' | 'label' | undefined;
}

/** An order that is being changed, and the one it began as. */
interface Draft {
  facets: readonly Facet[];
  began: string;
}

const KINDS = ['category', 'brand', 'price', 'tag', 'availability', 'discount', 'spec.', 'detail.'];

/** Which facets searches answer, and in which order. It is a setting of the store, so that operations alone change it. */
export function FacetsTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  const mayChange = useSession().role === 'ops';
  const path = { apiKey: store };
  const read = (init: { signal?: AbortSignal } = {}) =>
    answerOf(api.GET('/admin/stores/{apiKey}', { params: { path }, ...init }));
  const kept = useLoaded(`facets ${store}`, (signal) => read({ signal }), SHARED);
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useAction(async (facets: readonly Facet[] | null, began: string) => {
    if (JSON.stringify((await read()).settings.facets ?? []) !== began) {
      setDraft(null);
      kept.reload();
      throw new ApiFailure(409, 'conflict', words.changed);
    }
    const body = { settings: { facets: facets === null ? null : facets.map((facet) => ({ ...facet })) } };
    await answerOf(api.PATCH('/admin/stores/{apiKey}', { params: { path }, body: body as never }));
    setDraft(null);
    kept.reload();
  });
  return (
    <Shown of={kept}>
      {({ settings }) => {
        const now: readonly Facet[] = settings.facets ?? [];
        const facets = draft?.facets ?? now;
        const began = draft?.began ?? JSON.stringify(now);
        const change = (next: readonly Facet[]): void => setDraft({ facets: next, began });
        return (
          <Stack>
            <Text size="sm">{words.facetsHint}</Text>
            {facets.length === 0 && <Empty>{words.allFacets}</Empty>}
            <FacetList facets={facets} onChange={mayChange ? change : null} />
            {mayChange && <AddFacet onAdd={(facet) => change([...facets, facet])} />}
            {mayChange && (
              <Group>
                <Button
                  disabled={draft === null}
                  loading={save.running}
                  onClick={() => void save.run(facets.length === 0 ? null : facets, began)}
                >
                  {words.save}
                </Button>
              </Group>
            )}
            {!mayChange && <Text size="sm">{words.opsOnly}</Text>}
            {save.error && <ErrorNote error={save.error} />}
          </Stack>
        );
      }}
    </Shown>
  );
}

interface FacetListProps {
  facets: readonly Facet[];
  /** Null: may only be looked at. */
  onChange: ((facets: readonly Facet[]) => void) | null;
}

function FacetList({ facets, onChange }: FacetListProps) {
  const words = useWords(merchandisingWords);
  const moved = (from: number, to: number): readonly Facet[] => {
    const next = [...facets];
    next.splice(to, 0, ...next.splice(from, 1));
    return next;
  };
  return (
    <ol>
      {facets.map(({ attribute, label }, index) => (
        <li key={attribute}>
          <Group gap={4}>
            <Text size="sm" className="words">
              <bdi>{attribute}</bdi> {label === undefined ? '' : `(${label})`}
            </Text>
            {onChange && (
              <>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${words.up} ${attribute}`}
                  disabled={index === 0}
                  onClick={() => onChange(moved(index, index - 1))}
                >
                  ↑
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${words.down} ${attribute}`}
                  disabled={index === facets.length - 1}
                  onClick={() => onChange(moved(index, index + 1))}
                >
                  ↓
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`${words.remove} ${attribute}`}
                  onClick={() => onChange(facets.filter((_, at) => at !== index))}
                >
                  {words.remove}
                </Button>
              </>
            )}
          </Group>
        </li>
      ))}
    </ol>
  );
}

function AddFacet({ onAdd }: { onAdd(facet: Facet): void }) {
  const words = useWords(merchandisingWords);
  const [kind, setKind] = useState('category');
  const [name, setName] = useState('');
  const [label, setLabel] = useState('');
  const named = kind.endsWith('.');
  const add = (event: FormEvent): void => {
    event.preventDefault();
    onAdd({ attribute: named ? kind + name.trim() : kind, ...(label.trim() === '' ? {} : { label: label.trim() }) });
    setName('');
    setLabel('');
  };
  return (
    <form onSubmit={add}>
      <Group align="flex-end">
        <NativeSelect
          label={words.facet}
          data={KINDS}
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value)}
        />
        {named && (
          <TextInput
            label={words.name}
            required
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
        <TextInput label={words.label} value={label} onChange={({ currentTarget: { value } }) => setLabel(value)} />
        <Button type="submit" variant="default">
          {words.add}
        </Button>
      </Group>
    </form>
  );
}
