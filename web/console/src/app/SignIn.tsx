import { Button, Code, Container, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useAction } from '../api/hooks.ts';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { useWords } from './language.tsx';
import { Preferences } from './Preferences.tsx';
import { useSessionState } from './session.tsx';
import { signInWords } from './words.ts';

/** The code of a one-time link, which is taken out of the address at once: nothing that is copied or kept has it. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return code;
}

const linkCode = takeCode();

/** Whether the address brought a code that is still to be exchanged. */
export const hasCode = (): boolean => linkCode !== null && !exchanged;
let exchanged = false;

/** `above`: of a page that waits below. */
export function SignIn({ above = false }: { above?: boolean }) {
  const words = useWords(signInWords);
  const { signIn } = useSessionState();
  const [token, setToken] = useState('');
  const byCode = useAction((code: string) => signIn({ code }));
  const byToken = useAction((text: string) => signIn({ token: text.trim() }));
  const started = useRef(false);
  useEffect(() => {
    if (!hasCode() || linkCode === null || started.current) return;
    started.current = true;
    exchanged = true;
    void byCode.run(linkCode);
  }, [byCode]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    byCode.clear();
    void byToken.run(token).then((done) => done && setToken(''));
  };
  return (
    <Container component={above ? 'div' : 'main'} size="xs" py="xl">
      <Paper withBorder p="lg">
        <Stack>
          <Title order={1} size="h2">
            vitrine · {words.title}
          </Title>
          {byCode.running && <Loading />}
          {byCode.error?.status === 401 && <Text role="alert">⚠ {words.linkFailed}</Text>}
          {byCode.error && byCode.error.status !== 401 && <ErrorNote error={byCode.error} />}
          <Text>
            {words.byLink} <Code>vitrine console link</Code>
          </Text>
          <Text>
            {words.byToken} <Code>vitrine token --role ops</Code>
          </Text>
          <form onSubmit={submit}>
            <Stack>
              <PasswordInput
                label={words.token}
                value={token}
                onChange={(event) => setToken(event.currentTarget.value)}
                autoComplete="off"
                required
                error={byToken.error?.status === 401 && words.tokenFailed}
              />
              {byToken.error && byToken.error.status !== 401 && <ErrorNote error={byToken.error} />}
              <Button type="submit" loading={byToken.running}>
                {words.signIn}
              </Button>
            </Stack>
          </form>
          <Preferences />
        </Stack>
      </Paper>
    </Container>
  );
}
