import type { CounterEntry, DocumentEntry } from './document-archive';
import type { Documents } from './documents';

/** Writes documents and counters as they were elsewhere; versions begin anew. Again is harmless. */
export async function restoreDocuments(
  documents: Documents,
  entries: readonly (DocumentEntry | CounterEntry)[],
): Promise<void> {
  const puts = entries.flatMap((entry) => {
    if (entry.type !== 'document') return [];
    const { store, kind, id, body } = entry;
    return [{ store, kind, id, body }];
  });
  if (puts.length > 0) await documents.put(puts);
  for (const entry of entries) {
    if (entry.type !== 'counter') continue;
    const { store, kind, id, value } = entry;
    const counter = { store, kind, id };
    await documents.increment(counter, value - (await documents.increment(counter, 0)));
  }
}
