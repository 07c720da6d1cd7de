import { Stack, Title } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link, NO_STORE } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { AT_ONCE, useFind } from '../../parts/long-lists.tsx';
import { Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import type { PageProps } from '../registry.ts';
import { CreateStore } from './CreateStore.tsx';
import { StoreForm } from './StoreForm.tsx';
import { storeWords } from './words.ts';

/** Every store, the one that is chosen with its settings, and new ones. */
export default function StoresPage({ store }: PageProps) {
  const words = useWords(storeWords);
  const { isOps, isForAll, stores: known } = useSession();
  const loaded = useLoaded('stores', (signal) => answerOf(api.GET('/admin/stores', { signal })), {
    everyMs: known.length > AT_ONCE ? 30_000 : 3000,
  });
  return (
    <Page title={words.title}>
      <Shown of={loaded}>
        {({ stores }) => {
          const chosen = stores.find(({ apiKey }) => apiKey === store);
          return (
            <Stack>
              <AllStores stores={stores} />
              {chosen && store !== NO_STORE && <StoreForm key={store} store={chosen} changed={loaded.reload} />}
            </Stack>
          );
        }}
      </Shown>
      {isOps && isForAll && (
        <>
          <Title order={2} size="h3">
            {words.create}
          </Title>
          <CreateStore created={loaded.reload} />
        </>
      )}
    </Page>
  );
}

interface AllStoresProps {
  stores: readonly { apiKey: string; name: string; createdAt: string }[];
}

function AllStores({ stores }: AllStoresProps) {
  const words = useWords(storeWords);
  const formats = useFormats();
  const { found, field } = useFind(stores, ({ apiKey, name }) => `${name}\n${apiKey}`);
  return (
    <>
      {field}
      <Rows
        label={words.all}
        head={[words.name, words.apiKey, words.created]}
        rows={found.map(({ apiKey, name, createdAt }) => ({
          key: apiKey,
          cells: [
            <Link key="name" to={addressOf(apiKey, 'stores')}>
              {name}
            </Link>,
            apiKey,
            formats.time(createdAt),
          ],
        }))}
      />
    </>
  );
}
