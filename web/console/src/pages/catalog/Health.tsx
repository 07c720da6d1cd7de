import { Button, Stack, Text, Title } from '@mantine/core';
import type { paths } from 'vitrine-client';
import { answerOf, api } from '../../api/client.ts';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { Empty, ErrorNote, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { healthWords } from './health-words.ts';
import { catalogWords } from './words.ts';

interface Sample {
  id: string;
  name?: string;
  channel?: string;
}

const nameOf = ({ id, name, channel }: Sample): string =>
  [id, name, channel].filter((part) => part !== undefined).join(' · ');

/** Each leads to the product, where it says what it lacks. */
function Samples({ store, of }: { store: string; of: readonly Sample[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: '1.2em' }}>
      {of.map((sample) => (
        <li key={sample.id}>
          <Link to={addressOf(store, 'catalog', sample.id)}>
            <bdi>{nameOf(sample)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** In words, and beside them as the service calls it; what is new to the console has no words yet. */
function Term({ of }: { of: string }) {
  const words: Readonly<Record<string, string | undefined>> = useWords(healthWords);
  return (
    <>
      {words[of] ?? of}{' '}
      <Text span size="xs" c="dimmed">
        {of}
      </Text>
    </>
  );
}

/** What the daily look at the catalog found. */
export function Health({ store }: { store: string }) {
  const words = useWords(catalogWords);
  const { isOps } = useSession();
  const params = { path: { apiKey: store } };
  const loaded = useLoaded(
    `health ${store}`,
    (signal) => answerOf(api.GET('/admin/stores/{apiKey}/catalog/health', { params, signal })),
    { everyMs: 3000 },
  );
  const look = useAction(async () => {
    await answerOf(api.POST('/admin/stores/{apiKey}/catalog/health/run', { params }));
    loaded.reload();
  });
  return (
    <Stack>
      <Title order={2} size="h3">
        {words.health}
      </Title>
      {look.error && <ErrorNote error={look.error} />}
      {isOps && (
        <Button variant="default" w="fit-content" loading={look.running} onClick={() => void look.run()}>
          {words.look}
        </Button>
      )}
      <Shown of={loaded}>{(health) => ('states' in health ? <Found store={store} health={health} /> : null)}</Shown>
    </Stack>
  );
}

type View = paths['/admin/stores/{apiKey}/catalog/health']['get']['responses'][200]['content']['application/json'];

function Found({ store, health }: { store: string; health: Extract<View, { states: unknown }> }) {
  const words = useWords(catalogWords);
  const formats = useFormats();
  if (health.computedAt === null) return <Empty>{words.never}</Empty>;
  const problems = Object.entries(health.problems).filter(([, { count }]) => count > 0);
  return (
    <Stack>
      <Text>
        {words.looked} {formats.time(health.computedAt)} · {words.products}: {formats.number(health.products)}
        {health.before && ` (${formats.number(health.before.products)} ${words.before})`}
      </Text>
      <Rows
        label={words.state}
        head={[words.state, words.count]}
        rows={Object.entries(health.states).map(([state, count]) => ({
          key: state,
          cells: [<Term key="state" of={state} />, formats.number(count)],
        }))}
      />
      {problems.length === 0 ? (
        <Empty>{words.noProblems}</Empty>
      ) : (
        <Rows
          label={words.problem}
          head={[words.problem, words.count, words.samples]}
          rows={problems.map(([problem, { count, samples }]) => ({
            key: problem,
            cells: [
              <Term key="problem" of={problem} />,
              formats.number(count),
              <Samples key="samples" store={store} of={samples} />,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
