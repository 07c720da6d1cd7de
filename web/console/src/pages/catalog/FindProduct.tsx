import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { addressOf, navigate } from '../../app/router.tsx';
import { catalogWords } from './words.ts';

/** Leads to one product, by the id that the store sends. */
export function FindProduct({ store }: { store: string }) {
  const words = useWords(catalogWords);
  const [id, setId] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (id.trim() !== '') navigate(addressOf(store, 'catalog', id));
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={words.productId}
          required
          maxLength={256}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {words.show}
        </Button>
      </Group>
    </form>
  );
}
