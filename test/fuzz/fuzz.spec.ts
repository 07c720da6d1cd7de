import { describeModes } from '../support/modes';
import { fuzz } from './fuzz';

/** Writes wait for Elasticsearch's disk, and every store made has an index of its own. */
const REQUESTS = { embedded: 600, production: 250 };

describeModes((mode) => {
  test('every route answers valid, nearly valid and hostile requests as its document says', async () => {
    const { operations, sent, statuses, flaws } = await fuzz({ mode, requests: REQUESTS[mode.name], seed: 5 });
    expect(flaws.join('\n\n')).toBe('');
    expect(sent).toBeGreaterThanOrEqual(REQUESTS[mode.name]);
    expect(operations).toBeGreaterThan(25);
    expect(statuses[200]).toBeGreaterThan(operations / 2);
    expect(statuses[400]).toBeGreaterThan(operations / 2);
  }, 600_000);
});
