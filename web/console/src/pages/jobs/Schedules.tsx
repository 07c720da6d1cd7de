import { Button, Group, Title } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useAction, useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link, navigate } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { ErrorNote, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { State } from '../../parts/State.tsx';
import type { PageProps } from '../registry.ts';
import { jobWords } from './words.ts';

function setPaused(kind: string, paused: boolean): Promise<unknown> {
  const params = { path: { kind } };
  return answerOf(
    paused
      ? api.POST('/admin/schedules/{kind}/pause', { params })
      : api.POST('/admin/schedules/{kind}/resume', { params }),
  );
}

/** What the service does again and again. */
export function Schedules({ store }: PageProps) {
  const words = useWords(jobWords);
  const formats = useFormats();
  const { isOps } = useSession();
  const loaded = useLoaded('schedules', (signal) => answerOf(api.GET('/admin/schedules', { signal })), {
    everyMs: 3000,
  });
  const change = useAction((kind: string, paused: boolean) => setPaused(kind, !paused).then(loaded.reload));
  const run = useAction(async (kind: string) => {
    const { jobId } = await answerOf(api.POST('/admin/schedules/{kind}/run', { params: { path: { kind } } }));
    navigate(addressOf(store, 'jobs', jobId));
  });
  const error = change.error ?? run.error;
  return (
    <>
      <Title order={2} size="h3">
        {words.schedules}
      </Title>
      {error && <ErrorNote error={error} />}
      <Shown of={loaded}>
        {({ schedules }) => (
          <Rows
            label={words.schedules}
            head={[words.kind, words.interval, words.state, words.last, ...(isOps ? [words.actions] : [])]}
            rows={schedules.map(({ kind, everySeconds, paused, last }) => ({
              key: kind,
              cells: [
                kind,
                formats.span(everySeconds),
                paused ? words.paused : words.running,
                last && (
                  <Link to={addressOf(store, 'jobs', last.id)}>
                    <State of={last.state} label={words[last.state]} />
                  </Link>
                ),
                ...(isOps
                  ? [
                      <ScheduleControls
                        key="actions"
                        kind={kind}
                        paused={paused}
                        pause={() => void change.run(kind, paused)}
                        run={() => void run.run(kind)}
                      />,
                    ]
                  : []),
              ],
            }))}
          />
        )}
      </Shown>
    </>
  );
}

interface ScheduleControlsProps {
  kind: string;
  paused: boolean;
  /** Pauses or resumes. */
  pause(): void;
  run(): void;
}

function ScheduleControls({ kind, paused, pause, run }: ScheduleControlsProps) {
  const words = useWords(jobWords);
  const label = paused ? words.resume : words.pause;
  return (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-sm" variant="default" aria-label={`${label} ${kind}`} onClick={pause}>
        {label}
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`${words.run} ${kind}`} onClick={run}>
        {words.run}
      </Button>
    </Group>
  );
}
