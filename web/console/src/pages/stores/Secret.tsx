import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.tsx';
import { frameWords } from '../../app/words.ts';
import { storeWords } from './words.ts';

/** A secret, until somebody says it is kept elsewhere. It is in this window's memory alone. */
export function Secret({ secretKey, note, hide }: { secretKey: string; note?: string; hide(): void }) {
  const words = useWords(storeWords);
  const frame = useWords(frameWords);
  return (
    <Alert variant="default" role="status" title={words.keys}>
      <Stack align="flex-start">
        <Text>{words.secret}</Text>
        <Code className="words">{secretKey}</Code>
        {note !== undefined && <Text size="sm">{note}</Text>}
        <Group>
          <CopyButton value={secretKey}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" onClick={copy}>
                {copied ? frame.copied : frame.copy}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" onClick={hide}>
            {words.hide}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
