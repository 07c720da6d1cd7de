import type { FactoryProvider } from '@nestjs/common';
import { Clock } from '../shared/clock';
import type { EmbeddedDatabase } from './sqlite/embedded-database';
import { type ProductionStorage, Storage } from './storage';

type Port<T> = abstract new (...parts: never[]) => T;

interface Adapters<T, More extends unknown[]> {
  embedded(database: EmbeddedDatabase, clock: Clock, ...more: More): T | Promise<T>;
  production(parts: ProductionStorage, clock: Clock, ...more: More): T | Promise<T>;
}

/** Provides a port by its adapter of the storage in use. `inject`: what else the adapters are made with. */
export function adapterOf<T, More extends unknown[] = []>(
  port: Port<T>,
  { embedded, production }: Adapters<T, More>,
  ...inject: { [K in keyof More]: Port<More[K]> }
): FactoryProvider<T> {
  return {
    provide: port,
    inject: [Storage, Clock, ...(inject as Port<unknown>[])],
    useFactory: (storage: Storage, clock: Clock, ...more: unknown[]) =>
      storage.choose<T | Promise<T>>({
        embedded: (database) => embedded(database, clock, ...(more as More)),
        production: (parts) => production(parts, clock, ...(more as More)),
      }),
  };
}
