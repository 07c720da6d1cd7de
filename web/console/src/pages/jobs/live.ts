import { useEffect, useState } from 'react';
import type { paths } from 'vitrine-client';
import { answerOf, api } from '../../api/client.ts';
import { type Loaded, useLoaded } from '../../api/hooks.ts';

export type Job = paths['/admin/jobs/{id}']['get']['responses'][200]['content']['application/json'];

const isJob = (value: unknown): value is Job =>
  typeof value === 'object' && value !== null && 'id' in value && 'state' in value;

/** A job as it goes: read once, then told by the service with every change. Where the stream is lost the browser opens it again by itself. */
export function useLiveJob(id: string): Loaded<Job> & { live: boolean } {
  const read = useLoaded(id, (signal) => answerOf(api.GET('/admin/jobs/{id}', { params: { path: { id } }, signal })));
  const [told, setTold] = useState<Job>();
  const [live, setLive] = useState(false);
  const open = read.data?.state === 'waiting' || read.data?.state === 'active';
  const { reload } = read;
  useEffect(() => {
    if (!open) return undefined;
    const stream = new EventSource(`/admin/jobs/${encodeURIComponent(id)}/events`);
    const tell = ({ data }: MessageEvent<string>): void => {
      const job: unknown = JSON.parse(data);
      setLive(true);
      if (isJob(job)) setTold(job);
    };
    stream.addEventListener('job', tell);
    stream.addEventListener('error', () => {
      setLive(false);
      // Refused: whoever was signed in is no more, which asking again shows.
      if (stream.readyState === EventSource.CLOSED) reload();
    });
    stream.addEventListener('end', () => {
      stream.close();
      setLive(false);
      setTold(undefined);
      reload();
    });
    return () => stream.close();
  }, [id, open, reload]);
  return { ...read, data: open && told?.id === id ? told : read.data, live };
}
