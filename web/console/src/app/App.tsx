import { Alert, Button, Container, Modal } from '@mantine/core';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Empty, ErrorNote, Loading } from '../parts/notes.tsx';
import { type PageEntry, type PageProps, pages } from '../pages/registry.ts';
import { useLanguage, useWords } from './language.tsx';
import { Layout } from './Layout.tsx';
import { addressOf, navigate, NO_STORE, useRoute } from './router.tsx';
import { type Session, useSessionState } from './session.tsx';
import { hasCode, SignIn } from './SignIn.tsx';
import { frameWords } from './words.ts';

const components = new Map<string, ComponentType<PageProps>>(pages.map(({ path, load }) => [path, lazy(load)]));

export function App() {
  const { session, ended, error, reload } = useSessionState();
  const shown = session ?? ended;
  // A new link signs in anew, whoever was signed in before.
  if (hasCode() || (session === null && !ended)) return <SignIn />;
  if (shown) {
    return (
      <>
        <SignedIn key={`${shown.role} ${shown.store}`} session={shown} />
        <SignInAgain needed={session === null} />
      </>
    );
  }
  return <Container py="xl">{error ? <ErrorNote error={error} retry={reload} /> : <Loading />}</Container>;
}

/** Above everything that is open, so that nothing of it is lost. */
function SignInAgain({ needed }: { needed: boolean }) {
  const words = useWords(frameWords);
  return (
    <Modal
      opened={needed}
      onClose={() => undefined}
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      zIndex={1000}
      transitionProps={{ duration: 0 }}
      title={words.ended}
    >
      <SignIn above />
    </Modal>
  );
}

/** An address that names no store or no page leads to the first of each. */
function SignedIn({ session }: { session: Session }) {
  const { store, page } = useRoute();
  const { language } = useLanguage();
  const words = useWords(frameWords);
  const allowed = pages.filter(
    (entry) => entry.roles.includes(session.role) && (!entry.forAll || session.store === null),
  );
  const entry = allowed.find(({ path }) => path === page);
  const first = session.stores[0]?.apiKey ?? NO_STORE;
  const target =
    store === '' || page === '' || (store === NO_STORE && session.stores.length > 0)
      ? addressOf(store === '' || store === NO_STORE ? first : store, page || (allowed[0]?.path ?? ''))
      : null;
  useEffect(() => {
    if (target !== null) navigate(target, { replace: true });
  }, [target]);
  useEffect(() => {
    document.title = [entry?.label[language], store, `${words.title} · vitrine`].filter(Boolean).join(' · ');
  }, [entry, language, store, words]);
  return (
    <Layout store={store} page={page} pages={allowed}>
      <PageOf session={session} entry={entry} store={store} page={page} />
    </Layout>
  );
}

interface PageOfProps {
  session: Session;
  entry: PageEntry | undefined;
  store: string;
  page: string;
}

function PageOf({ session, entry, store, page }: PageOfProps) {
  const words = useWords(frameWords);
  if (page === '') return <Loading />;
  const Shown = components.get(entry?.path ?? '');
  if (!entry || !Shown) return <Empty>{words.unknownPage}</Empty>;
  const known = session.stores.some(({ apiKey }) => apiKey === store);
  if (!known && !entry.withoutStore) {
    return <Empty>{session.stores.length === 0 ? words.createFirst : words.unknownStore}</Empty>;
  }
  return (
    <PageBoundary key={`${store} ${page}`} fallback={<PageFailed />}>
      <Suspense fallback={<Loading />}>
        <Shown store={store} />
      </Suspense>
    </PageBoundary>
  );
}

function PageFailed() {
  const words = useWords(frameWords);
  return (
    <Alert variant="default" role="alert" title={`⚠ ${words.failed}`}>
      <p>{words.pageFailed}</p>
      <Button variant="default" onClick={() => location.reload()}>
        {words.loadAgain}
      </Button>
    </Alert>
  );
}

/** A page that fails, or whose script can't be had, leaves the frame standing. */
class PageBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
