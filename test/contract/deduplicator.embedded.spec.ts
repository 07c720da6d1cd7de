import { InProcessDeduplicator } from '../../src/behaviour/events/adapters/embedded/in-process-deduplicator';
import { describeDeduplicatorContract } from './deduplicator.contract';

describeDeduplicatorContract('embedded', async () => ({
  deduplicator: new InProcessDeduplicator(),
  close: async () => undefined,
}));
