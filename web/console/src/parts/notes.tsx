import { Alert, Button, Group, Loader, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import type { Loaded } from '../api/hooks.ts';
import { useWords } from '../app/language.tsx';
import { frameWords } from '../app/words.ts';

/** A failure with everything the service says about it. */
export function ErrorNote({ error, retry }: { error: ApiFailure; retry?: () => void }) {
  const words = useWords(frameWords);
  return (
    <Alert variant="default" role="alert" title={`⚠ ${words.failed}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="words">
          {error.status === 0 && error.message === '' ? words.unreachable : error.message}
        </Text>
        {error.details.length > 0 && (
          <ul>
            {error.details.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {error.requestId !== null && (
          <Text size="xs" c="dimmed">
            {words.request} {error.requestId}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {words.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function Loading() {
  const words = useWords(frameWords);
  return (
    <Group role="status" py="lg">
      <Loader size="sm" />
      <VisuallyHidden>{words.loading}</VisuallyHidden>
    </Group>
  );
}

export function Empty({ children }: { children?: ReactNode }) {
  const words = useWords(frameWords);
  return (
    <Text c="dimmed" py="md">
      {children ?? words.nothing}
    </Text>
  );
}

/** What was loaded; while it is loading and where that failed it says so, above what was there before. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children(data: T): ReactNode }) {
  return (
    <Stack gap="sm">
      {of.error && <ErrorNote error={of.error} retry={of.reload} />}
      {of.loading && <Loading />}
      {of.data !== undefined && children(of.data)}
    </Stack>
  );
}

/** A page with its heading, and what can be done beside it. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
