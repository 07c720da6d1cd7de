import { List, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useWords } from '../../app/language.tsx';
import { documentOf, lineOf, linesOf } from './document.ts';
import { templateWords } from './words.ts';

export interface Mistake {
  path: string;
  message: string;
}

const FONT = { fontFamily: 'monospace', fontSize: 13, lineHeight: '20px', margin: 0, padding: 4 } as const;

interface JsonEditorProps {
  text: string;
  mistakes: readonly Mistake[];
  onText(text: string): void;
}

/** The whole template as text, its lines numbered, with what is wrong in it. */
export function JsonEditor({ text, mistakes, onText }: JsonEditorProps) {
  const words = useWords(templateWords);
  const read = useMemo(() => documentOf(text), [text]);
  const lines = useMemo(() => ('document' in read ? linesOf(text) : new Map<string, number>()), [read, text]);
  const count = text.split('\n').length;
  const wrong = new Set(mistakes.map(({ path }) => lineOf(lines, path)));
  const numbers = Array.from({ length: count }, (_, index) => `${wrong.has(index + 1) ? '⚠' : ''}${index + 1}`);
  return (
    <>
      <div style={{ display: 'flex', border: '1px solid var(--mantine-color-dimmed)' }}>
        <pre aria-hidden style={{ ...FONT, textAlign: 'right', minWidth: 44 }}>
          {numbers.join('\n')}
        </pre>
        <textarea
          aria-label={words.json}
          value={text}
          rows={count}
          wrap="off"
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => onText(value)}
          style={{
            ...FONT,
            flex: 1,
            minWidth: 0,
            resize: 'none',
            border: 0,
            background: 'transparent',
            color: 'inherit',
          }}
        />
      </div>
      <Text size="xs">
        <a href="/admin/schemas/boost-template.json" target="_blank" rel="noreferrer">
          {words.schema}
        </a>
      </Text>
      {'problem' in read && (
        <Text size="sm" role="alert">
          ⚠ {words.notJson} {read.problem}
        </Text>
      )}
      <Mistakes mistakes={mistakes} lines={lines} />
    </>
  );
}

function Mistakes({ mistakes, lines }: { mistakes: readonly Mistake[]; lines: ReadonlyMap<string, number> }) {
  const words = useWords(templateWords);
  if (mistakes.length === 0) return null;
  return (
    <List size="sm" role="alert" aria-label={words.mistakes}>
      {mistakes.map(({ path, message }) => (
        <List.Item key={path + message} className="words">
          {words.line} {lineOf(lines, path)}: <code>{path}</code> {message}
        </List.Item>
      ))}
    </List>
  );
}
