import { Button, Checkbox, FileInput, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useAction } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link } from '../../app/router.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { type Sending, sendFeed } from './send-feed.ts';
import { catalogWords } from './words.ts';

export function Upload({ store, sent }: { store: string; sent(): void }) {
  const words = useWords(catalogWords);
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<Sending['mode']>('partial');
  const [dryRun, setDryRun] = useState(false);
  const [share, setShare] = useState(0);
  const [jobId, setJobId] = useState<string>();
  const stop = useRef(new AbortController());
  const send = useAction(async (chosen: File) => {
    stop.current = new AbortController();
    setShare(0);
    setJobId(undefined);
    const { signal } = stop.current;
    setJobId(await sendFeed(store, { file: chosen, mode, dryRun }, { progress: setShare, signal }));
    sent();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file) void send.run(file);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <FileInput
          label={words.file}
          description={words.fileHint}
          placeholder={words.choose}
          classNames={{ placeholder: 'placeholder' }}
          required
          value={file}
          onChange={setFile}
        />
        <NativeSelect
          label={words.mode}
          value={mode}
          data={[
            { value: 'partial', label: words.partial },
            { value: 'full', label: words.full },
          ]}
          onChange={(event) => setMode(event.currentTarget.value as Sending['mode'])}
        />
        <Checkbox label={words.dryRun} checked={dryRun} onChange={(event) => setDryRun(event.currentTarget.checked)} />
        {send.error && <ErrorNote error={send.error} />}
        {send.running && <Sent share={share} />}
        <Group>
          <Button type="submit" disabled={!file} loading={send.running}>
            {words.send}
          </Button>
          {send.running && (
            <Button variant="default" onClick={() => stop.current.abort()}>
              {words.abort}
            </Button>
          )}
          {jobId !== undefined && <Link to={addressOf(store, 'jobs', jobId)}>{words.job}</Link>}
        </Group>
      </Stack>
    </form>
  );
}

function Sent({ share }: { share: number }) {
  const words = useWords(catalogWords);
  const formats = useFormats();
  return (
    <>
      <Progress.Root>
        <Progress.Section value={100 * share} aria-label={words.sent} />
      </Progress.Root>
      <Text size="sm">
        {words.sent} {formats.percent(share)}
      </Text>
    </>
  );
}
