import type { RecordVersionEntry } from './record-archive';
import { channelsNamedBy } from '../product/channel-view';

/** The sales channels a product names: those it has versions for, and those its common version lists. */
export function restoredChannels(versions: readonly RecordVersionEntry[]): string[] {
  const named = versions.flatMap(({ channel, sent }) => (channel === null ? channelsNamedBy(sent) : [channel]));
  return [...new Set(named)].filter((channel) => channel !== '');
}
