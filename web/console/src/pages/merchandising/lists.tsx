import { Text } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { useWords } from '../../app/language.tsx';
import { useLoaded } from '../../api/hooks.ts';
import { Shown } from '../../parts/notes.tsx';
import { previewOf } from '../../ranking/preview.ts';
import { ProductName } from '../../ranking/ProductName.tsx';
import { pageOrigin, useNames } from '../../ranking/products.ts';
import { ListTab } from './ListTab.tsx';
import { type Banner, filled, type Hotsite, listOf, type Synonym } from './merchandise.ts';
import { merchandisingWords } from './words.ts';

const wordsOf = (entry: Synonym): string[] => ('terms' in entry ? entry.terms : [entry.from, ...entry.to]);

export function SynonymsTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  return (
    <ListTab
      store={store}
      kind="synonyms"
      fields={[
        { name: 'from', label: words.word, required: true },
        { name: 'to', label: words.standsFor, required: true },
        {
          name: 'way',
          label: words.way,
          choices: [
            { value: 'both', label: words.bothWays },
            { value: 'one', label: words.oneWay },
          ],
        },
      ]}
      heads={[words.synonyms, words.way]}
      cells={(entry) => [wordsOf(entry).join(', '), 'terms' in entry ? words.bothWays : words.oneWay]}
      made={({ from, to, way }) =>
        way === 'one' ? { from: from.trim(), to: listOf(to) } : { terms: [from.trim(), ...listOf(to)] }
      }
      preview={(entry) => <FoundToday store={store} queries={wordsOf(entry)} />}
    />
  );
}

/** How many products each of these queries finds as it is now. */
function FoundToday({ store, queries }: { store: string; queries: readonly string[] }) {
  const words = useWords(merchandisingWords);
  const found = useLoaded(JSON.stringify(['found', store, queries]), (signal) =>
    Promise.all(
      queries.map(async (terms) => ({
        terms,
        size: (await previewOf(store, { terms, users: [], limit: 1 }, signal)).size,
      })),
    ),
  );
  return (
    <Shown of={found}>
      {(all) => (
        <>
          <Text size="sm">{words.foundToday}</Text>
          <ul>
            {all.map(({ terms, size }) => (
              <li key={terms}>
                <bdi>{terms}</bdi>: {size}
              </li>
            ))}
          </ul>
        </>
      )}
    </Shown>
  );
}

export function RedirectsTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  return (
    <ListTab
      store={store}
      kind="redirects"
      fields={[
        { name: 'terms', label: words.queries, required: true },
        { name: 'link', label: words.link, required: true },
      ]}
      heads={[words.queries, words.link]}
      cells={({ terms, link }) => [terms.join(', '), link]}
      made={({ terms, link }) => ({ terms: listOf(terms), link: link.trim() })}
      preview={({ terms }) => <FoundToday store={store} queries={terms} />}
    />
  );
}

const semicolons = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export function HotsitesTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  return (
    <ListTab
      store={store}
      kind="hotsites"
      fields={[
        { name: 'name', label: words.name, required: true },
        { name: 'title', label: words.titleOf, required: true },
        { name: 'description', label: words.description },
        { name: 'products', label: words.products },
        { name: 'filter', label: words.filters },
      ]}
      heads={[words.name, words.titleOf, words.products]}
      cells={({ name, title, products = [], filter = [] }) => [name, title, [...products, ...filter].join(', ')]}
      made={({ name, title, description, products, filter }): Hotsite => ({
        name: name.trim(),
        title,
        description,
        ...(listOf(products).length > 0 ? { products: listOf(products) } : {}),
        ...(semicolons(filter).length > 0 ? { filter: semicolons(filter) } : {}),
      })}
      preview={(hotsite) => <HotsitePreview store={store} hotsite={hotsite} />}
    />
  );
}

function HotsitePreview({ store, hotsite }: { store: string; hotsite: Hotsite }) {
  const { products = [], filter = [] } = hotsite;
  const words = useWords(merchandisingWords);
  const names = useNames(store, products);
  const found = useLoaded(filter.length === 0 ? null : JSON.stringify([store, filter]), async (signal) => {
    const origin = await pageOrigin(store, signal);
    if (origin === null) return null;
    // Without products on the page nothing of it is logged.
    const query = { filter, origin, resultsPerPage: 0 };
    return answerOf(api.GET('/searchapi/v3/search', { params: { query }, signal }));
  });
  return (
    <>
      {products.map((id) => (
        <ProductName key={id} id={id} product={names.get(id)} />
      ))}
      <Shown of={found}>
        {(reply) => (
          <Text size="sm">
            {reply ? `${reply.size} ${words.found}` : ''} {reply?.warnings?.map(({ message }) => message).join(' ')}
          </Text>
        )}
      </Shown>
    </>
  );
}

export function BannersTab({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  return (
    <ListTab
      store={store}
      kind="banners"
      fields={[
        { name: 'id', label: words.id, required: true },
        { name: 'title', label: words.titleOf },
        { name: 'image', label: words.image, required: true },
        { name: 'link', label: words.link, required: true },
        { name: 'query', label: words.query },
        { name: 'category', label: words.category },
        { name: 'hotsite', label: words.hotsite },
        { name: 'from', label: words.from, type: 'date' },
        { name: 'to', label: words.to, type: 'date' },
      ]}
      heads={[words.id, words.titleOf, words.where, words.link]}
      cells={({ id, title = '', query, category, hotsite, link }) => [
        id,
        title,
        [query, category, hotsite].filter(Boolean).join(' · ') || '*',
        link,
      ]}
      made={(form) => filled<Banner>(form)}
      preview={({ title = '', image, link, query = '*' }) => (
        <Text size="sm">
          <bdi>{query}</bdi> → <strong dir="auto">{title}</strong> <bdi>{image}</bdi> → <bdi>{link}</bdi>
        </Text>
      )}
    />
  );
}
