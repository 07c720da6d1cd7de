import { aShop } from '../builders/a-shop';
import type { Mode } from './modes';
import type { Json, StoreClient } from './store-client';
import { startWholeApp, type WholeApp } from './whole-app';

/** The whole service with one store, `loja`, that has the small shop of shoes and lamps and these products. `fields`: of the store. */
export async function startShop(
  mode: Mode,
  products: readonly Json[] = [],
  fields: Json = {},
): Promise<{ service: WholeApp; loja: StoreClient }> {
  const service = await startWholeApp(mode);
  const loja = await service.store('loja', fields);
  await loja.putMany([...aShop(), ...products]);
  return { service, loja };
}
