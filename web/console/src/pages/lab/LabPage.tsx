import { Button, Drawer, List, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { addressOf, navigate, useRoute } from '../../app/router.tsx';
import { frameWords } from '../../app/words.ts';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { TopQueries } from '../../ranking/TopQueries.tsx';
import { Comparison } from './Comparison.tsx';
import { addressPart, type Asked, askedBy, searchAs, type Understood } from './lab-data.ts';
import { LabForm } from './LabForm.tsx';
import { type Looked, WhyPanel } from './WhyPanel.tsx';
import { labWords } from './words.ts';

/** Any query as any shopper, beside another shopper or a candidate template. */
export default function LabPage({ store }: { store: string }) {
  const words = useWords(labWords);
  const frame = useWords(frameWords);
  const written = useRoute().query.toString();
  const asked = useMemo(() => askedBy(new URLSearchParams(written)), [written]);
  const [looked, setLooked] = useState<Looked | null>(null);
  const [isWhyOpen, openWhy] = useState(false);
  const key = asked && JSON.stringify([store, asked]);
  const found = useLoaded(key, (signal) => searchAs(store, asked!, signal));
  const search = (next: Asked): void => {
    const part = addressPart(next);
    setLooked(null);
    if (part === written) found.reload();
    else navigate(`${addressOf(store, 'lab')}?${part}`);
  };
  const ask = (next: Looked | null): void => {
    setLooked(next);
    openWhy(true);
  };
  const begin = (terms: string): void => search({ terms, users: [], candidate: '', filter: [], source: '' });
  return (
    <Page title={words.title}>
      <LabForm store={store} asked={asked} onSearch={search} />
      {asked === null && <Begin store={store} onChoose={begin} />}
      {asked !== null && (
        <Shown of={found}>{(result) => <Result key={key} store={store} asked={asked} of={result} onWhy={ask} />}</Shown>
      )}
      <Drawer
        opened={asked !== null && isWhyOpen}
        onClose={() => openWhy(false)}
        position="right"
        size="lg"
        title={words.whyTitle}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': frame.close }}
      >
        {asked !== null && <WhyPanel key={key} store={store} search={searchOf(asked)} asked={looked} />}
      </Drawer>
    </Page>
  );
}

const searchOf = ({ candidate, ...search }: Asked) =>
  candidate === '' ? search : { ...search, candidate: { name: candidate } };

function Begin({ store, onChoose }: { store: string; onChoose(terms: string): void }) {
  const words = useWords(labWords);
  return (
    <>
      <Empty>{words.tryOne}</Empty>
      <TopQueries store={store} onChoose={onChoose} />
    </>
  );
}

interface ResultProps {
  store: string;
  asked: Asked;
  of: Awaited<ReturnType<typeof searchAs>>;
  /** Null: about a product that is still to be named. */
  onWhy(looked: Looked | null): void;
}

function Result({ store, asked, of: { preview, understood }, onWhy }: ResultProps) {
  const words = useWords(labWords);
  return (
    <Stack>
      <Text size="sm">
        {preview.size} {words.found}
      </Text>
      <Understanding of={understood} />
      <Button variant="default" w="fit-content" onClick={() => onWhy(null)}>
        {words.whyOther}
      </Button>
      <Comparison
        store={store}
        preview={preview}
        hasCandidate={asked.candidate !== ''}
        onWhy={(productId, { userId, which }) => onWhy({ productId, userId: userId ?? '', deviceId: '', which })}
      />
    </Stack>
  );
}

function Understanding({ of }: { of: Understood }) {
  const words = useWords(labWords);
  if (!of) return <Text size="sm">{words.noOrigin}</Text>;
  const { queries, suggestions, warnings, link } = of;
  return (
    <List size="sm" aria-label={words.type}>
      <List.Item>
        {words.type}: <strong>{queries.queryType}</strong> (<bdi>{queries.processed}</bdi>)
      </List.Item>
      {link !== undefined && (
        <List.Item>
          {words.leadsTo}: <bdi>{link}</bdi>
        </List.Item>
      )}
      {suggestions.length > 0 && (
        <List.Item>
          {words.suggestions}: {<bdi>{suggestions.map(({ query }) => query).join(', ')}</bdi>}
        </List.Item>
      )}
      {warnings?.map(({ path, message }) => (
        <List.Item key={path + message}>
          {words.warnings}: {path}: <bdi>{message}</bdi>
        </List.Item>
      ))}
    </List>
  );
}
