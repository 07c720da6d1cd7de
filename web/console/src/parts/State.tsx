import { Badge } from '@mantine/core';

const MARKS: Readonly<Record<string, string>> = {
  waiting: '○',
  active: '▶',
  completed: '✓',
  failed: '⚠',
  cancelled: '■',
};

/** A state in a word, with a mark: never by colour alone. */
export function State({ of, label }: { of: string; label?: string }) {
  return (
    <Badge variant="default" tt="none" miw="max-content" leftSection={<span aria-hidden>{MARKS[of] ?? '·'}</span>}>
      {label ?? of}
    </Badge>
  );
}
