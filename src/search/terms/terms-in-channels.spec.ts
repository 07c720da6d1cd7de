import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineQuery, EngineResult, SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import type { QueryUnderstanding } from '../query-understanding';
import { TermsInChannels, unlessLate } from './terms-in-channels';

describe('the terms that find something in sales channels', () => {
  const store = { id: 's', settings: { language: 'pt-BR', defaultSalesChannel: 'default' } } as Store;
  const names = [{ query: 'tenis' }, { query: 'late' }, { query: 'gone' }, { query: 'fails' }, { query: 'bolsa' }];
  const SLOW_MS = 400;

  /** An engine that finds everything but `gone`, takes its time for `late`, and fails at `fails`. */
  function termsInChannels(): TermsInChannels {
    const understanding = {
      whole: async (_: Store, terms: string) => ({ match: { kind: 'all', terms } }),
    } as unknown as QueryUnderstanding;
    const search = async ({ plan }: EngineQuery): Promise<EngineResult> => {
      const { terms } = plan.match as unknown as { terms: string };
      if (terms === 'late') await sleep(SLOW_MS);
      if (terms === 'fails') throw new Error('away');
      return { total: terms === 'gone' ? 0 : 1, hits: [], facets: {}, execution: 'neutral' } as EngineResult;
    };
    return new TermsInChannels({ search } as unknown as SearchEngine, understanding);
  }
  const asked = (ms: number) => ({ channels: ['default'], until: performance.now() + ms });
  const queries = (terms: readonly { query: string }[]): string[] => terms.map(({ query }) => query);

  it('are looked for, all or none', async () => {
    await expect(termsInChannels().of(store, names, asked(5000))).rejects.toThrow('away');
    expect(queries(await termsInChannels().of(store, names.slice(0, 3), asked(5000)))).toEqual(['tenis', 'late']);
  });

  it('are those known in time, for a reply that is whole without the others', async () => {
    const terms = termsInChannels();
    expect(queries(await terms.inTime(store, names, asked(5000)))).toEqual(['tenis', 'late', 'bolsa']);
    const hurried = termsInChannels();
    expect(queries(await hurried.inTime(store, names, asked(SLOW_MS)))).toEqual(['tenis', 'bolsa']);
    await sleep(SLOW_MS);
    expect(queries(await hurried.inTime(store, names, asked(SLOW_MS)))).toEqual(['tenis', 'late', 'bolsa']);
  });

  it('are not looked for where products of a name are known to be there', async () => {
    const gone = (...there: string[]) => [{ query: 'gone', channels: new Set(there) }];
    const at = (...channels: string[]) => ({ channels, until: performance.now() + 5000 });
    const shown = async (...call: Parameters<TermsInChannels['of']>) => queries(await termsInChannels().of(...call));
    expect(await shown(store, gone('*'), at('app'))).toEqual(['gone']);
    expect(await shown(store, gone('app', 'web'), at('web'))).toEqual(['gone']);
    expect(await shown(store, gone('app'), at('web'))).toEqual([]);
    // There it may have another name.
    expect(await shown(store, gone('app'), at('web', 'app'))).toEqual([]);
    // None of them may be available.
    const strict = { ...store, settings: { ...store.settings, showOnlyAvailable: true } };
    expect(await shown(strict, gone('*'), at('app'))).toEqual([]);
  });

  it('hold up no reply where they can’t be read', async () => {
    const until = performance.now() + SLOW_MS;
    expect(await unlessLate(until, Promise.resolve(['a']))).toEqual(['a']);
    expect(await unlessLate(until, Promise.reject(new Error('away')))).toEqual([]);
    expect(await unlessLate(until, sleep(10 * SLOW_MS, ['a'], { ref: false }))).toEqual([]);
    expect(performance.now()).toBeLessThan(until + SLOW_MS);
  });
});
