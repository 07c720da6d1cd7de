import { InProcessRankingSessions } from '../../src/search/sessions/adapters/embedded/in-process-ranking-sessions';
import { TestClock } from '../support/behaviour-database';
import { describeRankingSessionsContract } from './ranking-sessions.contract';

describeRankingSessionsContract('embedded', async () => {
  const clock = new TestClock();
  return {
    sessions: new InProcessRankingSessions(() => clock.now()),
    advance: (ms) => clock.advance(ms),
    close: async () => undefined,
  };
});
