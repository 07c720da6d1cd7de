import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useWords } from '../../app/language.tsx';
import { useSessionState } from '../../app/session.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { errorOf, linesOf } from './fields.ts';
import { Secret } from './Secret.tsx';
import { storeWords } from './words.ts';

const EMPTY = { apiKey: '', name: '', origins: '' };

export function CreateStore({ created }: { created(): void }) {
  const words = useWords(storeWords);
  const { reload } = useSessionState();
  const [fields, setFields] = useState(EMPTY);
  const [secretKey, setSecretKey] = useState<string>();
  const create = useAction(async () => {
    const { apiKey, name, origins } = fields;
    const body = { name, origins: linesOf(origins), ...(apiKey === '' ? {} : { apiKey }) };
    setSecretKey((await answerOf(api.POST('/admin/stores', { body }))).secretKey);
    setFields(EMPTY);
    created();
    reload();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void create.run();
  };
  const set = (name: keyof typeof EMPTY) => (event: { currentTarget: { value: string } }) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <TextInput
          label={words.name}
          required
          value={fields.name}
          onChange={set('name')}
          error={errorOf(create.error, 'name')}
        />
        <TextInput
          label={words.apiKey}
          value={fields.apiKey}
          onChange={set('apiKey')}
          error={errorOf(create.error, 'apiKey')}
        />
        <Textarea
          label={words.origins}
          description={words.originsHint}
          autosize
          minRows={2}
          value={fields.origins}
          onChange={set('origins')}
          error={errorOf(create.error, 'origins')}
        />
        {create.error && <ErrorNote error={create.error} />}
        <Button type="submit" loading={create.running}>
          {words.create}
        </Button>
        {secretKey !== undefined && <Secret secretKey={secretKey} hide={() => setSecretKey(undefined)} />}
      </Stack>
    </form>
  );
}
