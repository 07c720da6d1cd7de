import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StoreErasure } from '../stores/store-erasure';
import { CatalogRecords } from './records/catalog-records';

/** Takes the records of a deleted store away. */
@Injectable()
export class CatalogErasure implements OnModuleInit {
  constructor(
    private readonly records: CatalogRecords,
    private readonly erasure: StoreErasure,
  ) {}

  onModuleInit(): void {
    this.erasure.add('catalog', (store) => this.records.removeStore(store));
  }
}
