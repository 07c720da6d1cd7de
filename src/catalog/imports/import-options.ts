import { z } from 'zod';
import { lowerCased, single } from '../../http/fields';
import { syntaxFields } from './feed-syntax';

export const importModes = ['full', 'partial'] as const;

const flag = z.preprocess(
  lowerCased,
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(false),
);
export const modeField = z.enum(importModes, { error: `one of ${importModes.join(', ')} is required` });

/** Parameters of an import. */
export const importQuery = z.object({
  mode: single(modeField).meta({
    description:
      '`full`: what the feed no longer has is removed. `partial`: the fields sent are merged into each product',
    example: 'full',
  }),
  force: flag.meta({
    description: 'Whether a full import may remove more than half of the catalog',
    example: 'true',
  }),
  dryRun: flag.meta({
    description: 'Nothing is written; the result says what would happen, with samples',
    example: 'true',
  }),
  upload: single(z.string().max(100).optional()).meta({
    description: 'The id of an upload, whose pieces are the feed; there is no body then',
    example: '4f3c1c1e-6f0e-4a53-9a43-0f6b3f8d3c11',
  }),
  mapping: single(z.string().max(100).optional()).meta({
    description: 'A saved mapping, by its name',
    example: 'erp',
  }),
  ...syntaxFields,
});
export type ImportQuery = z.output<typeof importQuery>;
