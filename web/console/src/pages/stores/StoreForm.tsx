import { Button, Code, Group, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { paths } from 'vitrine-client';
import { answerOf, api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, navigate, NO_STORE } from '../../app/router.tsx';
import { useSession, useSessionState } from '../../app/session.tsx';
import { Confirm } from '../../parts/Confirm.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { errorOf, linesOf } from './fields.ts';
import { Secret } from './Secret.tsx';
import { storeWords } from './words.ts';

type Store = paths['/admin/stores/{apiKey}']['get']['responses'][200]['content']['application/json'];
type Patch = NonNullable<paths['/admin/stores/{apiKey}']['patch']['requestBody']>['content']['application/json'];

const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2);

function parsed(text: string): Patch['settings'] | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The store that is chosen. Whoever may not change it sees it, and no button. */
export function StoreForm({ store, changed }: { store: Store; changed(): void }) {
  const { isOps } = useSession();
  const words = useWords(storeWords);
  return (
    <Stack maw={640}>
      <Title order={2} size="h3" className="words">
        {store.name}
      </Title>
      {isOps ? (
        <>
          <Fields store={store} changed={changed} />
          <Keys store={store} changed={changed} />
        </>
      ) : (
        <Code block tabIndex={0} className="words" aria-label={words.settings}>
          {jsonOf({ origins: store.origins, settings: store.settings })}
        </Code>
      )}
    </Stack>
  );
}

interface Edited {
  name?: string;
  origins?: string;
  settings?: string;
}

/** Sends what was edited alone: the rest may have been changed by others. */
async function saveStore(apiKey: string, edited: Edited, settings: Patch['settings'] | null): Promise<void> {
  const params = { path: { apiKey } };
  const body: Patch = {
    ...(edited.name === undefined ? {} : { name: edited.name }),
    ...(edited.settings === undefined || !settings ? {} : { settings }),
  };
  if (Object.keys(body).length > 0) await answerOf(api.PATCH('/admin/stores/{apiKey}', { params, body }));
  if (edited.origins === undefined) return;
  const origins = linesOf(edited.origins);
  await answerOf(api.PUT('/admin/stores/{apiKey}/origins', { params, body: { origins } }));
}

function Fields({ store, changed }: { store: Store; changed(): void }) {
  const words = useWords(storeWords);
  const shown = { name: store.name, origins: store.origins.join('\n'), settings: jsonOf(store.settings) };
  // What somebody is writing stays, whatever changes elsewhere meanwhile.
  const [edited, setEdited] = useState<Edited>({});
  const [done, setDone] = useState(false);
  const fields = { ...shown, ...edited };
  const settings = parsed(fields.settings);
  const save = useAction(async () => {
    await saveStore(store.apiKey, edited, settings);
    setEdited({});
    setDone(true);
    changed();
  });
  const set = (name: keyof typeof shown) => (event: { currentTarget: { value: string } }) => {
    setDone(false);
    setEdited({ ...edited, [name]: event.currentTarget.value });
  };
  return (
    <form action={() => void save.run()}>
      <Stack>
        <TextInput
          label={words.name}
          required
          value={fields.name}
          onChange={set('name')}
          error={errorOf(save.error, 'name')}
        />
        <Textarea
          label={words.origins}
          description={words.originsHint}
          autosize
          value={fields.origins}
          onChange={set('origins')}
          error={errorOf(save.error, 'origins')}
        />
        <Textarea
          label={words.settings}
          description={words.settingsHint}
          autosize
          maxRows={24}
          spellCheck={false}
          value={fields.settings}
          onChange={set('settings')}
          error={settings ? errorOf(save.error, 'settings') : words.notJson}
        />
        {save.error && <ErrorNote error={save.error} />}
        <Group>
          <Button type="submit" loading={save.running} disabled={!settings}>
            {words.save}
          </Button>
          <span role="status">{done ? `✓ ${words.saved}` : ''}</span>
        </Group>
      </Stack>
    </form>
  );
}

function Keys({ store: { apiKey }, changed }: { store: Store; changed(): void }) {
  const words = useWords(storeWords);
  const formats = useFormats();
  const { isForAll } = useSession();
  const { reload } = useSessionState();
  const [made, setMade] = useState<{ secretKey: string; previousValidUntil: string }>();
  const params = { path: { apiKey } };
  const rotate = async (): Promise<void> =>
    setMade(await answerOf(api.POST('/admin/stores/{apiKey}/secrets', { params, body: {} })));
  const erase = async (): Promise<void> => {
    const { jobId } = await answerOf(api.DELETE('/admin/stores/{apiKey}', { params }));
    changed();
    reload();
    navigate(isForAll ? addressOf(NO_STORE, 'jobs', jobId) : addressOf(NO_STORE, 'stores'));
  };
  return (
    <Stack>
      <Group>
        <Confirm label={words.rotate} act={rotate}>
          {words.rotateText}
        </Confirm>
        <Confirm label={words.erase} act={erase}>
          <b>{apiKey}</b>: {words.eraseText}
        </Confirm>
      </Group>
      {made && (
        <Secret
          secretKey={made.secretKey}
          note={`${words.valid} ${formats.time(made.previousValidUntil)}`}
          hide={() => setMade(undefined)}
        />
      )}
    </Stack>
  );
}
