import { Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { type Loaded, useLoaded } from '../../api/hooks.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { addressOf, Link, navigate, useRoute } from '../../app/router.tsx';
import { useSession } from '../../app/session.tsx';
import { Confirm } from '../../parts/Confirm.tsx';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { State } from '../../parts/State.tsx';
import type { Job } from '../jobs/live.ts';
import type { PageProps } from '../registry.ts';
import { FindProduct } from './FindProduct.tsx';
import { Health } from './Health.tsx';
import { ProductDetail } from './ProductDetail.tsx';
import { Upload } from './Upload.tsx';
import { catalogWords } from './words.ts';

/** The products of a store: how they are, how they come in, the index that serves them. */
export default function CatalogPage({ store }: PageProps) {
  const [id] = useRoute().rest;
  return id === undefined ? <Overview store={store} /> : <ProductDetail store={store} id={id} />;
}

function Overview({ store }: PageProps) {
  const words = useWords(catalogWords);
  const { isOps } = useSession();
  const imports = useLoaded(
    `imports ${store}`,
    (signal) => {
      const query = { store, kind: 'catalog.import', limit: 20 };
      return answerOf(api.GET('/admin/jobs', { params: { query }, signal }));
    },
    { everyMs: 2000 },
  );
  return (
    <Page title={words.title}>
      <Health store={store} />
      <Title order={2} size="h3">
        {words.oneProduct}
      </Title>
      <FindProduct store={store} />
      <Title order={2} size="h3">
        {words.reports}
      </Title>
      <Reports store={store} imports={imports} />
      {isOps && (
        <>
          <Title order={2} size="h3">
            {words.upload}
          </Title>
          <Upload store={store} sent={imports.reload} />
          <Index store={store} />
        </>
      )}
    </Page>
  );
}

/** What an import has counted: the numbers of its result. */
const countsOf = (result: unknown): [string, number][] =>
  Object.entries(Object(result) as Record<string, unknown>).filter(
    (pair): pair is [string, number] => typeof pair[1] === 'number',
  );

function Reports({ store, imports }: { store: string; imports: Loaded<{ jobs: Job[] }> }) {
  const words = useWords(catalogWords);
  const formats = useFormats();
  return (
    <Shown of={imports}>
      {({ jobs }) =>
        jobs.length === 0 ? (
          <Empty>{words.noReports}</Empty>
        ) : (
          <Rows
            label={words.reports}
            head={[words.asked, words.jobState, words.report]}
            rows={jobs.map(({ id, createdAt, state, result, error }) => ({
              key: id,
              cells: [
                <Link key="job" to={addressOf(store, 'jobs', id)}>
                  {formats.time(createdAt)}
                </Link>,
                <State key="state" of={state} label={words[state]} />,
                error ??
                  countsOf(result)
                    .map(([name, count]) => `${name} ${formats.number(count)}`)
                    .join(' · '),
              ],
            }))}
          />
        )
      }
    </Shown>
  );
}

function Index({ store }: PageProps) {
  const words = useWords(catalogWords);
  const formats = useFormats();
  const [products, setProducts] = useState<number>();
  const params = { path: { apiKey: store } };
  const reindex = async (): Promise<void> => {
    const { jobId } = await answerOf(api.POST('/admin/stores/{apiKey}/reindex', { params }));
    navigate(addressOf(store, 'jobs', jobId));
  };
  const rollBack = async (): Promise<void> => {
    setProducts((await answerOf(api.POST('/admin/stores/{apiKey}/reindex/rollback', { params }))).products);
  };
  return (
    <Stack>
      <Title order={2} size="h3">
        {words.index}
      </Title>
      <Group>
        <Confirm label={words.reindex} act={reindex}>
          {words.reindexText}
        </Confirm>
        <Confirm label={words.rollback} act={rollBack}>
          {words.rollbackText}
        </Confirm>
      </Group>
      {products !== undefined && (
        <Text role="status">
          {words.served} {formats.number(products)}
        </Text>
      )}
    </Stack>
  );
}
