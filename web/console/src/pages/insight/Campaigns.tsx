import { Anchor, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useFormats, useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, Shown } from '../../parts/notes.tsx';
import { State } from '../../parts/State.tsx';
import { LineChart } from '../../ranking/LineChart.tsx';
import { type CampaignNumbers, csvAddress, type Days, LIVELY, readCampaigns } from './insight-data.ts';
import { useMoney } from './use-money.ts';
import { insightWords } from './words.ts';

/** What advertisers pay for, what of it is spent, and what became of its clicks. */
export function Campaigns({ store, days }: { store: string; days: Days }) {
  const words = useWords(insightWords);
  const money = useMoney(store);
  const numbers = useLoaded(
    JSON.stringify(['campaigns', store, days]),
    (signal) => readCampaigns(store, days, signal),
    LIVELY,
  );
  return (
    <section aria-label={words.campaigns}>
      <Title order={2} size="h4" mb="xs">
        {words.campaigns}
      </Title>
      <Shown of={numbers}>
        {(all) =>
          all.length === 0 ? (
            <Empty />
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} mb="xs">
              {all.map((one) => (
                <Campaign key={one.campaign.id} of={one} money={money} />
              ))}
            </SimpleGrid>
          )
        }
      </Shown>
      <Anchor underline="always" href={csvAddress(store, 'showcase', days)} download>
        {words.csvCampaigns}
      </Anchor>
    </section>
  );
}

function Campaign({ of, money }: { of: CampaignNumbers; money(value: number): string }) {
  const words = useWords(insightWords);
  const { number } = useFormats();
  const { campaign, views, clicks, revenue, verdicts, spent: spentByDay } = of;
  const { name, status, budget, dailyBudget, spent } = campaign;
  return (
    <section aria-label={name} style={{ minWidth: 0 }}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={700} className="words" dir="auto">
          {name}
        </Text>
        <State of={status} label={words[status]} />
      </Group>
      <LineChart title={`${words.spentOf} ${money(budget)}`} points={spentByDay} format={money} limit={budget} />
      <Text size="xs" mt={4} className="words">
        {words.views} {number(views)} · {words.clicks} {number(clicks)} · {words.revenue} {money(revenue)}
      </Text>
      <Text size="xs" c="dimmed" className="words">
        {words.spent} {money(spent.total)} / {money(budget)} · {words.today} {money(spent.today)}
        {dailyBudget === undefined ? '' : ` / ${money(dailyBudget)}`}
        {verdicts.length > 0 &&
          ` · ${words.verdicts}: ${verdicts.map(([verdict, count]) => `${verdict} ${number(count)}`).join(', ')}`}
      </Text>
    </section>
  );
}
