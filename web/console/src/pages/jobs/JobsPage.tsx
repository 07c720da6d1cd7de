import { Group, NativeSelect, Switch } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link, useRoute } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { FEWEST, Most } from '../../parts/long-lists.tsx';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { State } from '../../parts/State.tsx';
import type { PageProps } from '../registry.ts';
import { JobDetail } from './JobDetail.tsx';
import { Schedules } from './Schedules.tsx';
import { jobWords } from './words.ts';

const STATES = ['waiting', 'active', 'completed', 'failed', 'cancelled'] as const;
type JobState = (typeof STATES)[number];

/** What the service does in the background: all of it, or one job live. */
export default function JobsPage({ store }: PageProps) {
  const words = useWords(jobWords);
  const { isForAll } = useSession();
  const [id] = useRoute().rest;
  if (id !== undefined) return <JobDetail store={store} id={id} />;
  return (
    <Page title={words.title}>
      <JobList store={store} />
      {isForAll && <Schedules store={store} />}
    </Page>
  );
}

function JobList({ store }: PageProps) {
  const words = useWords(jobWords);
  const formats = useFormats();
  const { isForAll } = useSession();
  const [wide, setWide] = useState(false);
  const [state, setState] = useState<JobState | ''>('');
  const [limit, setLimit] = useState(FEWEST);
  const everything = isForAll && wide;
  const loaded = useLoaded(
    `${everything} ${store} ${state} ${limit}`,
    (signal) => {
      const query = { limit, ...(everything ? {} : { store }), ...(state === '' ? {} : { state }) };
      return answerOf(api.GET('/admin/jobs', { params: { query }, signal }));
    },
    { everyMs: 2000 },
  );
  return (
    <>
      {isForAll && (
        <Switch label={words.every} checked={wide} onChange={(event) => setWide(event.currentTarget.checked)} />
      )}
      <Group>
        <NativeSelect
          label={words.state}
          value={state}
          data={[{ value: '', label: words.all }, ...STATES.map((value) => ({ value, label: words[value] }))]}
          onChange={(event) => setState(event.currentTarget.value as JobState | '')}
        />
        <Most value={limit} choose={setLimit} />
      </Group>
      <Shown of={loaded}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Empty>{words.noJobs}</Empty>
          ) : (
            <Rows
              label={words.title}
              head={[words.kind, words.state, words.progress, words.asked, words.by]}
              rows={jobs.map((job) => ({
                key: job.id,
                cells: [
                  <Link key="kind" to={addressOf(store, 'jobs', job.id)}>
                    {job.kind}
                  </Link>,
                  <State key="state" of={job.state} label={words[job.state]} />,
                  job.progress.total === 0
                    ? '–'
                    : `${formats.number(job.progress.done)} / ${formats.number(job.progress.total)}`,
                  formats.time(job.createdAt),
                  job.askedBy ?? words.service,
                ],
              }))}
            />
          )
        }
      </Shown>
    </>
  );
}
