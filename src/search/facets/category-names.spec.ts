import type { EngineResult, FacetValue, SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { defaultSettings } from '../../stores/store-settings';
import { CategoryNames } from './category-names';

const store = { id: 's', apiKey: 'loja', settings: defaultSettings } as Store;
const named = (label: string): FacetValue => ({ key: `category:${label}`, label, parent: null, idO: label, size: 1 });

describe('the categories of a store', () => {
  let labels: string[];
  let facetsName: string | undefined;
  let asked: number;
  let made: number;
  let names: CategoryNames;

  beforeEach(() => {
    [asked, made] = [0, 0];
    const search = async (): Promise<EngineResult> => {
      asked++;
      const category = {
        kind: 'category' as const,
        of: 1,
        // Read once for each time the categories are made ready to be found.
        get values() {
          made++;
          return labels.map(named);
        },
      };
      const name = facetsName === undefined ? {} : { facetsName };
      return { total: 1, hits: [], facets: { category }, execution: 'counted', ...name };
    };
    names = new CategoryNames({ search } as unknown as SearchEngine);
  });

  /** Where a name is not known, the engine is asked again. */
  const found = async (label: string): Promise<string[]> =>
    (await names.called(store, ['*'], label)).map(({ key }) => key);

  it('are made ready once for facets of one name', async () => {
    [labels, facetsName] = [['Sapatos'], '1'];
    for (let time = 0; time < 3; time++) expect(await found('Bolas')).toEqual([]);
    expect(await found('Sapatos')).toEqual(['category:Sapatos']);
    expect([asked > 3, made]).toEqual([true, 1]);
  });

  it('are others where the facets have another name, or none', async () => {
    [labels, facetsName] = [['Sapatos'], '1'];
    await found('Sapatos');
    [labels, facetsName] = [['Bolas'], '2'];
    expect([await found('Bolas'), await found('Sapatos')]).toEqual([['category:Bolas'], []]);
    for (const label of ['Copos', 'Pratos']) {
      [labels, facetsName] = [[label], undefined];
      expect(await found(label)).toEqual([`category:${label}`]);
    }
  });
});
