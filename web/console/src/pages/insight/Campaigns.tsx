import { Anchor, Box, Stack, Text, Title } from '@mantine/core';
import { useFormats, useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, Shown } from '../../parts/notes.tsx';
import { LineChart } from '../../ranking/LineChart.tsx';
import { type CampaignNumbers, csvAddress, type Days, readCampaigns } from './insight-data.ts';
import { insightWords } from './words.ts';

/** What advertisers pay for, what of it is spent, and what became of its clicks. */
export function Campaigns({ store, days }: { store: string; days: Days }) {
  const words = useWords(insightWords);
  const numbers = useLoaded(JSON.stringify(['campaigns', store, days]), (signal) => readCampaigns(store, days, signal));
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
            <Stack>
              {all.map((one) => (
                <Campaign key={one.campaign.id} of={one} />
              ))}
            </Stack>
          )
        }
      </Shown>
      <Anchor underline="always" href={csvAddress(store, 'showcase', days)} download>
        {words.csvCampaigns}
      </Anchor>
    </section>
  );
}

function Campaign({ of: { campaign, views, clicks, revenue, verdicts, spent: spentByDay } }: { of: CampaignNumbers }) {
  const words = useWords(insightWords);
  const { number } = useFormats();
  const { name, status, budget, dailyBudget, spent } = campaign;
  const money = (value: number): string => number(value, { maximumFractionDigits: 2 });
  return (
    <section aria-label={name}>
      <Text size="sm" className="words">
        <strong dir="auto">{name}</strong> · {status} · {words.views} {number(views)} · {words.clicks} {number(clicks)}{' '}
        · {words.revenue} {money(revenue)}
      </Text>
      <Box maw={480} my={4}>
        <LineChart title={`${words.spentOf} ${money(budget)}`} points={spentByDay} format={money} limit={budget} />
      </Box>
      <Text size="xs" c="dimmed" className="words">
        {words.spent} {money(spent.total)} / {money(budget)} · {words.today} {money(spent.today)}
        {dailyBudget === undefined ? '' : ` / ${money(dailyBudget)}`}
        {verdicts.length > 0 &&
          ` · ${words.verdicts}: ${verdicts.map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`}
      </Text>
    </section>
  );
}
