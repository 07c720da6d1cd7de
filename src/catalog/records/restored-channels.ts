import type { RecordVersionEntry } from './record-archive';
import { objectOf } from '../product/sent-values';

/** The sales channels a product names: those it has versions for, and those its common version lists. */
export function restoredChannels(versions: readonly RecordVersionEntry[]): string[] {
  const named = versions.flatMap(({ channel, sent }) =>
    channel === null ? Object.keys(objectOf(sent['salesChannels']) ?? {}) : [channel],
  );
  return [...new Set(named)].filter((channel) => channel !== '');
}
