import { Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useLoaded } from '../api/hooks.ts';
import { useFormats, useWords } from '../app/language.tsx';
import { jobWords } from '../pages/jobs/words.ts';
import { Shown } from '../parts/notes.tsx';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
const LOOK_EVERY_MS = 500;

/** A job under way, and how it ended. `onEnd` is told once. */
export function JobNote({ id, onEnd }: { id: string; onEnd(): void }) {
  const words = useWords(jobWords);
  const formats = useFormats();
  const [ended, setEnded] = useState(false);
  const job = useLoaded(
    id,
    (signal) => answerOf(api.GET('/admin/jobs/{id}', { params: { path: { id } }, signal })),
    ended ? {} : { everyMs: LOOK_EVERY_MS },
  );
  const state = job.data?.state ?? '';
  useEffect(() => {
    if (!ENDED.has(state)) return;
    setEnded(true);
    onEnd();
  }, [state]);
  return (
    <Shown of={job}>
      {({ progress: { done, total }, error }) => (
        <Stack gap={4} role="status">
          <Text size="sm">
            {words[job.data?.state ?? 'waiting']}
            {total > 0 && ` · ${formats.number(done)} / ${formats.number(total)}`}
          </Text>
          <Progress value={ENDED.has(state) ? 100 : total > 0 ? (100 * done) / total : 0} aria-label={state} />
          {error !== undefined && <Text size="sm">{error}</Text>}
        </Stack>
      )}
    </Shown>
  );
}
