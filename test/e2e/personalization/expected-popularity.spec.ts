import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { StoresService } from '../../../src/stores/stores.service';
import { aProduct } from '../../builders/a-product';
import { startShop } from '../../support/a-started-shop';
import { describeModes } from '../../support/modes';
import type { StoreClient } from '../../support/store-client';
import type { WholeApp } from '../../support/whole-app';

const aVase = (id: string, sold?: number): Record<string, unknown> =>
  aProduct({ id, name: 'Vaso', created: '2020-01-01T00:00:00.000Z', categories: ['Casa'], sold });

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    ({ service, loja } = await startShop(mode, [aVase('a'), aVase('b', 20), aVase('c', 500), aVase('d')]));
  });
  afterAll(() => service.close());

  const learn = async (): Promise<void> => {
    const id = service.app.get(StoresService, { strict: false }).byApiKey('loja')!.id;
    await service.app.get(LearningService, { strict: false }).run(id, { force: true });
  };
  const order = (): Promise<string[]> => loja.order({ terms: 'vaso' });

  test('what sells well as the feed says stands first, as it says now, until orders say something else', async () => {
    expect(await order()).toEqual(['c', 'b', 'a', 'd']);
    await learn();
    expect(await order()).toEqual(['c', 'b', 'a', 'd']);
    await loja.putMany([aVase('b', 900), aVase('c')]);
    expect(await order()).toEqual(['b', 'a', 'c', 'd']);
    for (const userId of ['ana', 'bia', 'caio']) await loja.buy({ userId }, ['d']);
    await learn();
    expect((await order()).slice(0, 2)).toEqual(['d', 'b']);
    await loja.putMany([aVase('a', 900)]);
    expect((await order()).slice(0, 2)).toEqual(['d', 'b']);
  });
});
