import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Secrets } from '../config/secrets';
import type { ArchiveEntry } from '../storage/archive';

/** The last line. */
interface End {
  type: 'end';
  /** Of the lines in between. */
  entries: number;
  /** SHA-256 of all bytes before this line, base64url. */
  sha256: string;
}

/** Entries by their types. */
export type EntryCounts = Record<string, number>;

export const FORMAT = 'vitrine-export';
export const VERSION = 1;

/** The first line of an export. */
const headerSchema = z.object({
  type: z.literal('header'),
  format: z.literal(FORMAT),
  version: z.number(),
  /** Names this export: an import that was broken off goes on with no other. */
  id: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  from: z.enum(['embedded', 'production']),
  /** Tell whether two secrets are the same without revealing them. */
  secrets: z.object({ admin: z.array(z.string()), link: z.array(z.string()) }),
});
export type Header = z.infer<typeof headerSchema>;
type Fingerprints = Header['secrets'];

/** Says in one line why nothing was exported or imported. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Throws ArchiveError where the line is no header of vitrine's, or of a version newer than this. */
export function parseHeader(line: string): Header {
  const parsed = headerSchema.safeParse(parseLine(line));
  if (!parsed.success) throw new ArchiveError('The file is no export of vitrine');
  const { version } = parsed.data;
  if (version !== VERSION) {
    throw new ArchiveError(`The export has version ${version}, and this vitrine reads version ${VERSION}`);
  }
  return parsed.data;
}

export function parseLine(line: string): { type?: unknown } {
  try {
    return JSON.parse(line) as { type?: unknown };
  } catch {
    return {};
  }
}

export function isEnd(line: { type?: unknown }): line is End {
  return line.type === 'end';
}

export const lineOf = (content: Header | ArchiveEntry | End): string => `${JSON.stringify(content)}\n`;

/** Hashes of stores' keys and of erased users are made with these secrets: an import needs the same ones. */
export function fingerprints({ adminSecret, linkSecret }: Secrets): Fingerprints {
  const of = (secret: string): string =>
    createHmac('sha256', secret).update('vitrine export').digest('base64url').slice(0, 12);
  return { admin: adminSecret.map(of), link: linkSecret.map(of) };
}

/** The names of settings that lack a secret of the export. */
export function missingSecrets(exported: Fingerprints, own: Fingerprints): string[] {
  const lacks = (kind: keyof Fingerprints): boolean =>
    exported[kind].some((fingerprint) => !own[kind].includes(fingerprint));
  return [...(lacks('admin') ? ['ADMIN_SECRET'] : []), ...(lacks('link') ? ['LINK_SECRET'] : [])];
}
