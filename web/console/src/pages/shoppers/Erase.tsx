import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useFormats, useWords } from '../../app/language.tsx';
import { Confirm } from '../../parts/Confirm.tsx';
import { shopperWords } from './words.ts';

/** Erases a user for good, and says how much that was. */
export function Erase({ store, userId, erased }: { store: string; userId: string; erased(): void }) {
  const words = useWords(shopperWords);
  const formats = useFormats();
  const [receipt, setReceipt] = useState<Readonly<Record<string, number>>>();
  const erase = async (): Promise<void> => {
    const params = { path: { apiKey: store, userId } };
    const reply = await answerOf(api.DELETE('/admin/stores/{apiKey}/users/{userId}', { params }));
    setReceipt(reply.erased);
    erased();
  };
  return (
    <Stack align="flex-start">
      <Title order={2} size="h3">
        {words.forget}
      </Title>
      <Confirm label={words.erase} act={erase}>
        <b className="words">{userId}</b>: {words.eraseText}
      </Confirm>
      {receipt && (
        <Text role="status">
          ✓ {words.erased}:{' '}
          {Object.entries(receipt)
            .map(([what, count]) => `${what} ${formats.number(count)}`)
            .join(' · ')}
        </Text>
      )}
    </Stack>
  );
}
