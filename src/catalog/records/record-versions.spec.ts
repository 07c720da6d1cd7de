import { applyWrite, emptyState, newestVersion, type ProductState, toRecord } from './record-versions';

/** What was sent is a text here, so that nothing depends on its shape. */
const rules = {
  next: (after: number) => after + 1,
  nothing: 'nothing',
  merge: (before: string, patch: string) => `${before}+${patch}`,
};
const write = (state: ProductState<string>, sent: string | null, channel: string | null = null, names: string[] = []) =>
  applyWrite(state, { channel, sent, receivedAt: 1000 + newestVersion(state), names }, rules);
const channelsOf = ({ versions }: ProductState<string>): Record<string, string> =>
  Object.fromEntries(
    [...versions.values()].map(({ channel, removed, sent }) => [channel, removed ? `no ${sent}` : sent]),
  );

describe('the versions of a product', () => {
  it('number every write, and none that removes something never sent', () => {
    const state = emptyState<string>();
    expect([write(state, null), write(state, null, 'app'), write(state, 'a'), write(state, 'b', 'app')]).toEqual([
      null,
      null,
      1,
      2,
    ]);
    expect(newestVersion(state)).toBe(2);
  });

  it('keep what was sent last and when the product was first received, also of a tombstone', () => {
    const state = emptyState<string>();
    write(state, 'a');
    write(state, 'b');
    write(state, null, 'app');
    const tombstone = {
      sent: null,
      lastSent: { of: 'nothing' },
      version: 3,
      receivedAt: 1002,
      firstReceivedAt: 1000,
      removed: true,
    };
    expect(toRecord('p', state.versions.values(), { parse: (of) => ({ of }) })).toEqual({
      productId: 'p',
      base: {
        sent: { of: 'b' },
        lastSent: { of: 'b' },
        version: 2,
        receivedAt: 1001,
        firstReceivedAt: 1000,
        removed: false,
      },
      channels: { app: tombstone },
    });
  });

  it('go with a removal without a channel, and those that went with it are forgotten when the product comes back', () => {
    const state = emptyState<string>();
    write(state, 'a');
    write(state, 'b', 'app');
    write(state, null, 'web');
    write(state, null);
    expect(channelsOf(state)).toEqual({ '': 'no a', app: 'no b', web: 'no nothing' });
    write(state, 'c');
    expect(channelsOf(state)).toEqual({ '': 'c' });
  });

  it('keep a tombstone of one channel when the product is written again', () => {
    const state = emptyState<string>();
    write(state, 'a');
    write(state, null, 'web');
    write(state, 'b');
    expect(channelsOf(state)).toEqual({ '': 'b', web: 'no nothing' });
  });

  it('name channels by versions for them and by the common one, until it is replaced', () => {
    const state = emptyState<string>();
    write(state, 'a', null, ['outlet']);
    write(state, 'b', 'app');
    expect([...state.named].sort()).toEqual(['app', 'outlet']);
    write(state, 'c', null, ['web']);
    expect([...state.named].sort()).toEqual(['app', 'web']);
  });
});
