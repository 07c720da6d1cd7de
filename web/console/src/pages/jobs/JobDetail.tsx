import { Button, Code, Group, Progress, Stack, Text } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { ErrorNote, Page, Shown } from '../../parts/notes.tsx';
import { State } from '../../parts/State.tsx';
import { type Job, useLiveJob } from './live.ts';
import { jobWords } from './words.ts';

export function JobDetail({ store, id }: { store: string; id: string }) {
  const words = useWords(jobWords);
  const job = useLiveJob(id);
  return (
    <Page title={words.title}>
      <Link to={addressOf(store, 'jobs')}>← {words.back}</Link>
      <Shown of={job}>{(data) => <JobFacts job={data} live={job.live} changed={job.reload} />}</Shown>
    </Page>
  );
}

function JobFacts({ job, live, changed }: { job: Job; live: boolean; changed(): void }) {
  const words = useWords(jobWords);
  const formats = useFormats();
  const { done, total } = job.progress;
  return (
    <Stack gap="sm">
      <Group>
        <Text fw={700} className="words">
          {job.kind}
        </Text>
        <State of={job.state} label={words[job.state]} />
        {live && <State of="live" label={words.live} />}
      </Group>
      <Progress.Root size="lg">
        <Progress.Section
          value={job.state === 'completed' ? 100 : total === 0 ? 0 : (100 * done) / total}
          aria-label={words.progress}
        />
      </Progress.Root>
      <Text aria-live="polite">
        {formats.number(done)} / {formats.number(total)}
        {job.secondsLeft === null ? '' : ` · ${formats.number(Math.round(job.secondsLeft))} ${words.left}`}
      </Text>
      <Text c="dimmed" size="sm" className="words">
        {words.asked} {formats.time(job.createdAt)} · {words.by} {job.askedBy ?? words.service} · {words.attempts}{' '}
        {job.attempts} · {job.id}
      </Text>
      {job.error !== undefined && <Text className="words">⚠ {job.error}</Text>}
      <JobControls job={job} changed={changed} />
      {job.result !== undefined && (
        <>
          <Text fw={600}>{words.result}</Text>
          <Code block tabIndex={0} className="words">
            {JSON.stringify(job.result, null, 2)}
          </Code>
        </>
      )}
    </Stack>
  );
}

function JobControls({ job, changed }: { job: Job; changed(): void }) {
  const words = useWords(jobWords);
  const { isOps } = useSession();
  const params = { path: { id: job.id } };
  const cancel = useAction(() => answerOf(api.POST('/admin/jobs/{id}/cancel', { params })).then(changed));
  const retry = useAction(() => answerOf(api.POST('/admin/jobs/{id}/retry', { params })).then(changed));
  if (!isOps) return null;
  const open = job.state === 'waiting' || job.state === 'active';
  const error = cancel.error ?? retry.error;
  return (
    <Stack align="flex-start">
      {error && <ErrorNote error={error} />}
      {open && (
        <Button variant="default" loading={cancel.running} onClick={() => void cancel.run()}>
          {words.cancel}
        </Button>
      )}
      {(job.state === 'failed' || job.state === 'cancelled') && (
        <Button loading={retry.running} onClick={() => void retry.run()}>
          {words.retry}
        </Button>
      )}
    </Stack>
  );
}
