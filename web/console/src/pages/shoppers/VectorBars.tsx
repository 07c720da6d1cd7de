import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useFormats, useWords } from '../../app/language.tsx';
import { shopperWords } from './words.ts';

interface Weight {
  feature: string;
  weight: number;
  sources: readonly { event: string; count: number; last: string }[];
}

const FIRST = 20;
const ROW = 26;

/** The strongest weights as bars, each with what it came from. */
export function VectorBars({ weights }: { weights: readonly Weight[] }) {
  const words = useWords(shopperWords);
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const shown = all ? weights : weights.slice(0, FIRST);
  const most = Math.max(...weights.map(({ weight }) => weight), Number.EPSILON);
  return (
    <Stack gap={4} align="stretch">
      <ul className="bars" aria-label={words.vector}>
        {shown.map(({ feature, weight, sources }) => (
          <li key={feature}>
            <span className="words">
              {feature} <strong>{formats.number(weight, { maximumFractionDigits: 3 })}</strong>{' '}
              <small>{sources.map(({ event, count }) => `${event} × ${formats.number(count)}`).join(', ')}</small>
            </span>
            <svg width="100%" height={ROW / 2} aria-hidden="true" focusable="false">
              <rect
                width={`${Math.max(0, (100 * weight) / most)}%`}
                height={ROW / 2}
                fill="var(--mantine-primary-color-filled)"
              />
            </svg>
          </li>
        ))}
      </ul>
      {weights.length > FIRST && (
        <Button variant="default" size="xs" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? words.fewer : `${words.more} (${formats.number(weights.length)})`}
        </Button>
      )}
    </Stack>
  );
}
