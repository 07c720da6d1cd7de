import { List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { Comparison } from './Comparison.tsx';
import { type Asked, searchAs, type Understood } from './lab-data.ts';
import { LabForm } from './LabForm.tsx';
import { type Looked, WhyPanel } from './WhyPanel.tsx';
import { labWords } from './words.ts';

/** Any query as any shopper, beside another shopper or a candidate template. */
export default function LabPage({ store }: { store: string }) {
  const words = useWords(labWords);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [looked, setLooked] = useState<Looked | null>(null);
  const key = asked && JSON.stringify([store, asked]);
  const found = useLoaded(key, (signal) => searchAs(store, asked!, signal));
  return (
    <Page title={words.title}>
      <LabForm
        store={store}
        onSearch={(next) => {
          setAsked({ ...next });
          setLooked(null);
          found.reload();
        }}
      />
      {asked === null && <Empty>{words.tryOne}</Empty>}
      {asked !== null && (
        <Shown of={found}>
          {({ preview, understood }) => (
            <Stack key={key}>
              <Text size="sm">
                {preview.size} {words.found}
              </Text>
              <Understanding of={understood} />
              <Comparison
                store={store}
                preview={preview}
                hasCandidate={asked.candidate !== ''}
                onWhy={(productId, userId) => setLooked({ productId, userId: userId ?? '', deviceId: '' })}
              />
            </Stack>
          )}
        </Shown>
      )}
      {asked !== null && <WhyPanel key={key} store={store} search={asked} asked={looked} />}
    </Page>
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
