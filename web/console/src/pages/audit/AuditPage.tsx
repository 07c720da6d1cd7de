import { Code, NativeSelect, Switch } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { defineWords, useFormats, useWords } from '../../app/language.tsx';
import { useSession } from '../../app/session.tsx';
import { Empty, Page, Shown } from '../../parts/notes.tsx';
import { Rows } from '../../parts/Rows.tsx';
import type { PageProps } from '../registry.ts';

const words = defineWords({
  en: {
    title: 'Audit',
    at: 'When',
    by: 'Who',
    action: 'What',
    store: 'Store',
    with: 'With',
    everyStore: 'Changes of every store, and of the service',
    most: 'Rows at most',
    none: 'Nobody has changed anything yet.',
  },
  pt: {
    title: 'Auditoria',
    at: 'Quando',
    by: 'Quem',
    action: 'O quê',
    store: 'Loja',
    with: 'Com',
    everyStore: 'Mudanças de todas as lojas, e do serviço',
    most: 'Linhas no máximo',
    none: 'Ninguém mudou nada ainda.',
  },
  es: {
    title: 'Auditoría',
    at: 'Cuándo',
    by: 'Quién',
    action: 'Qué',
    store: 'Tienda',
    with: 'Con',
    everyStore: 'Cambios de todas las tiendas, y del servicio',
    most: 'Filas como máximo',
    none: 'Nadie ha cambiado nada todavía.',
  },
});

const LIMITS = ['50', '200', '1000'];

/** Who changed what, newest first. */
export default function AuditPage({ store }: PageProps) {
  const text = useWords(words);
  const formats = useFormats();
  const { isForAll } = useSession();
  const [wide, setWide] = useState(false);
  const [limit, setLimit] = useState('50');
  const everything = isForAll && wide;
  const loaded = useLoaded(
    `${everything} ${store} ${limit}`,
    (signal) => {
      const query = { limit: Number(limit), ...(everything ? {} : { store }) };
      return answerOf(api.GET('/admin/audit', { params: { query }, signal }));
    },
    { everyMs: 5000 },
  );
  return (
    <Page title={text.title}>
      {isForAll && (
        <Switch label={text.everyStore} checked={wide} onChange={(event) => setWide(event.currentTarget.checked)} />
      )}
      <NativeSelect
        label={text.most}
        w={140}
        value={limit}
        data={LIMITS}
        onChange={(event) => setLimit(event.currentTarget.value)}
      />
      <Shown of={loaded}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{text.none}</Empty>
          ) : (
            <Rows
              label={text.title}
              head={[text.at, text.action, text.store, text.with, text.by]}
              rows={entries.map((entry, index) => ({
                key: `${entry.at} ${entries.length - index}`,
                cells: [
                  formats.time(entry.at),
                  entry.action,
                  entry.store ?? '—',
                  <Code key="with">{JSON.stringify({ ...entry.parameters, body: entry.body })}</Code>,
                  `${entry.by.role} ${entry.by.jti}`,
                ],
              }))}
            />
          )
        }
      </Shown>
    </Page>
  );
}
