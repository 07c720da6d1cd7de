import { AppShell, Burger, Button, Group, NativeSelect, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction } from '../api/hooks.ts';
import { AT_ONCE } from '../parts/long-lists.tsx';
import type { PageEntry } from '../pages/registry.ts';
import { useLanguage, useWords } from './language.tsx';
import { Preferences } from './Preferences.tsx';
import { addressOf, leadsTo, Link, navigate } from './router.tsx';
import { useSession, useSessionState } from './session.tsx';
import { frameWords } from './words.ts';

interface LayoutProps {
  store: string;
  page: string;
  pages: readonly PageEntry[];
  children: ReactNode;
}

/** The frame: where one can go, as whom, and the page. */
export function Layout({ store, page, pages, children }: LayoutProps) {
  const words = useWords(frameWords);
  const { language } = useLanguage();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useEffect(() => setOpen(false), [store, page]);
  return (
    <AppShell
      header={{ height: 50 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={open}
            onClick={() => setOpen(!open)}
            hiddenFrom="sm"
            size="sm"
            aria-label={words.menu}
            aria-expanded={open}
          />
          <Text fw={700}>vitrine</Text>
          <Text truncate>{store}</Text>
          <a className="skip" href="#page" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
            {words.skip}
          </a>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={words.pages} p="xs">
        <AppShell.Section>
          <StorePicker store={store} page={page} />
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} my="xs">
          {pages.map(({ path, label }) => (
            <NavLink
              key={path}
              {...leadsTo(addressOf(store, path))}
              label={label[language]}
              active={path === page}
              aria-current={path === page ? 'page' : undefined}
            />
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <Whoami />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="page" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

/** A name is kept to its own direction: an option takes no markup that does. */
const labelOf = (apiKey: string, name: string): string =>
  name === apiKey ? `\u2068${name}\u2069` : `\u2068${name}\u2069 (${apiKey})`;

function StorePicker({ store, page }: { store: string; page: string }) {
  const words = useWords(frameWords);
  const { stores } = useSession();
  const chosen = stores.find(({ apiKey }) => apiKey === store);
  const known = chosen !== undefined;
  if (stores.length > AT_ONCE) {
    return (
      <Stack gap={4}>
        <Text fw={600} size="sm" lineClamp={2} className="words">
          {chosen?.name ?? words.unknownStore}
        </Text>
        <Link size="sm" to={addressOf(store, 'stores')}>
          {words.otherStores}
        </Link>
      </Stack>
    );
  }
  const options = stores.map(({ apiKey, name }) => ({ value: apiKey, label: labelOf(apiKey, name) }));
  const data = known ? options : [{ value: '', label: stores.length === 0 ? words.noStore : '' }, ...options];
  return (
    <NativeSelect
      label={words.store}
      value={known ? store : ''}
      data={data}
      disabled={stores.length === 0}
      onChange={(event) => navigate(addressOf(event.currentTarget.value, page))}
    />
  );
}

function Whoami() {
  const words = useWords(frameWords);
  const { role, store } = useSession();
  const { signOut } = useSessionState();
  const leave = useAction(signOut);
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed" className="words">
        {words.role}: {role}
        {store === null ? '' : ` · ${store}`}
      </Text>
      <Preferences />
      <Button size="xs" variant="default" loading={leave.running} onClick={() => void leave.run()}>
        {words.signOut}
      </Button>
    </Stack>
  );
}
