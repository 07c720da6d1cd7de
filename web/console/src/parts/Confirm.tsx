import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/hooks.ts';
import { useWords } from '../app/language.tsx';
import { frameWords } from '../app/words.ts';
import { ErrorNote } from './notes.tsx';

interface ConfirmProps {
  label: string;
  /** What will happen. */
  children: ReactNode;
  act(): Promise<unknown>;
  disabled?: boolean;
}

/** A button for what can't be taken back: it asks first. */
export function Confirm({ label, children, act, disabled = false }: ConfirmProps) {
  const words = useWords(frameWords);
  const [open, setOpen] = useState(false);
  const action = useAction(act);
  const close = (): void => {
    setOpen(false);
    action.clear();
  };
  return (
    <>
      <Button variant="default" disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={open} onClose={close} title={label} closeButtonProps={{ 'aria-label': words.close }}>
        <Stack>
          <Text>{children}</Text>
          {action.error && <ErrorNote error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button loading={action.running} onClick={() => void action.run().then((done) => done && close())}>
              {words.confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
