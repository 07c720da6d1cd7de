import { Button, Group, Text } from '@mantine/core';
import { answerOf, api } from '../api/client.ts';
import { useLoaded } from '../api/hooks.ts';
import { defineWords, useWords } from '../app/language.tsx';

const DAYS = 30;
const DAY_MS = 86_400_000;
const MOST = 8;

const words = defineWords({
  en: { often: 'Often searched:' },
  pt: { often: 'Muito buscado:' },
  es: { often: 'Muy buscado:' },
});

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

async function topOf(apiKey: string, signal: AbortSignal): Promise<string[]> {
  const now = Date.now();
  // Tomorrow has begun in some stores.
  const query = { from: dayOf(now - DAYS * DAY_MS), to: dayOf(now + DAY_MS) };
  const params = { path: { apiKey }, query };
  const numbers = await answerOf(api.GET('/admin/stores/{apiKey}/metrics/search', { params, signal }));
  if (typeof numbers === 'string') return [];
  return numbers.topTerms.slice(0, MOST).map((row) => row.query);
}

/** Where nobody has typed anything yet: what shoppers of the store search most. Nothing where that is not known. */
export function TopQueries({ store, onChoose }: { store: string; onChoose(query: string): void }) {
  const text = useWords(words);
  const { data = [] } = useLoaded(`top queries ${store}`, (signal) => topOf(store, signal));
  if (data.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {text.often}
      </Text>
      {data.map((query) => (
        <Button
          key={query}
          size="compact-sm"
          variant="default"
          maw="100%"
          className="words"
          onClick={() => onChoose(query)}
        >
          <bdi>{query}</bdi>
        </Button>
      ))}
    </Group>
  );
}
