import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useFormats, useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { LineChart } from '../../ranking/LineChart.tsx';
import { csvAddress, type Days, everyDay, LIVELY, readSearches, type SearchNumbers } from './insight-data.ts';
import { useMoney } from './use-money.ts';
import { NumberTable } from './NumberTable.tsx';
import { insightWords } from './words.ts';

interface SearchesProps {
  store: string;
  days: Days;
}

/** What was searched, and what followed from it. */
export function Searches({ store, days }: SearchesProps) {
  const words = useWords(insightWords);
  const formats = useFormats();
  const money = useMoney(store);
  const numbers = useLoaded(JSON.stringify([store, days]), (signal) => readSearches(store, days, signal), LIVELY);
  return (
    <Shown of={numbers}>
      {({ all, rising }) => (
        <Stack>
          <Totals of={all} money={money} />
          {all.sampled && <Text size="sm">{words.sampled}</Text>}
          <Charts of={all} money={money} />
          <Group>
            <Anchor underline="always" href={csvAddress(store, 'search', days)} download>
              {words.csvByDay}
            </Anchor>
            <Anchor underline="always" href={csvAddress(store, 'search', days, '&by=query')} download>
              {words.csvByQuery}
            </Anchor>
          </Group>
          <NumberTable
            title={words.byDay}
            heads={[words.day, ...countHeads(words)]}
            rows={all.days.map((row) => [row.day, ...counts(row, formats, money)])}
          />
          <NumberTable
            title={words.top}
            heads={[words.query, ...countHeads(words)]}
            rows={all.topTerms.slice(0, 20).map((row) => [row.query, ...counts(row, formats, money)])}
          />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <NumberTable
              title={words.empty}
              heads={[words.query, words.searches]}
              rows={all.noResultTerms.slice(0, 20).map(({ query, searches }) => [query, formats.number(searches)])}
            />
            <NumberTable
              title={words.rising}
              heads={[words.query, words.before, words.after]}
              rows={rising.map(({ query, before, after }) => [query, formats.number(before), formats.number(after)])}
            />
          </SimpleGrid>
        </Stack>
      )}
    </Shown>
  );
}

type Words = ReturnType<typeof useWords<(typeof insightWords)['en']>>;
type Money = (value: number) => string;
type Counts = Pick<SearchNumbers, 'searches' | 'ctr' | 'noResultRate' | 'carts' | 'orders' | 'revenue'>;

/** Orders that followed, of the searches; a search may lead to several. */
const conversionOf = ({ searches, orders }: Pick<SearchNumbers, 'searches' | 'orders'>): number =>
  searches === 0 ? 0 : orders / searches;

const countHeads = (words: Words): string[] => [
  words.searches,
  'CTR',
  words.noResult,
  words.carts,
  words.orders,
  words.conversion,
  words.revenue,
];

const counts = (
  { searches, ctr, noResultRate, carts, orders, revenue }: Counts,
  formats: ReturnType<typeof useFormats>,
  money: Money,
): string[] => [
  formats.number(searches),
  formats.percent(ctr),
  formats.percent(noResultRate),
  formats.number(carts),
  formats.number(orders),
  formats.percent(conversionOf({ searches, orders })),
  money(revenue),
];

function Totals({ of, money }: { of: SearchNumbers; money: Money }) {
  const words = useWords(insightWords);
  const values = counts(of, useFormats(), money);
  return (
    <Group gap="xl" component="dl" m={0}>
      {countHeads(words).map((head, index) => (
        <div key={head}>
          <Text component="dt" size="sm" c="dimmed">
            {head}
          </Text>
          <Text component="dd" m={0} fw={700} size="lg">
            {values[index]}
          </Text>
        </div>
      ))}
    </Group>
  );
}

function Charts({ of: numbers, money }: { of: SearchNumbers; money: Money }) {
  const days = everyDay(numbers);
  const words = useWords(insightWords);
  const { number, percent } = useFormats();
  const whole = (value: number): string => number(value, { maximumFractionDigits: 2 });
  const charts = [
    { title: words.searches, of: (row: (typeof days)[number]) => row.searches, format: whole },
    { title: 'CTR', of: (row: (typeof days)[number]) => row.ctr, format: percent },
    { title: words.noResult, of: (row: (typeof days)[number]) => row.noResultRate, format: percent },
    { title: words.carts, of: (row: (typeof days)[number]) => row.carts, format: whole },
    { title: words.conversion, of: (row: (typeof days)[number]) => conversionOf(row), format: percent },
    { title: words.revenue, of: (row: (typeof days)[number]) => row.revenue, format: money },
  ];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {charts.map(({ title, of, format }) => (
        <LineChart
          key={title}
          title={title}
          format={format}
          points={days.map((row) => ({ day: row.day, value: of(row) }))}
        />
      ))}
    </SimpleGrid>
  );
}
