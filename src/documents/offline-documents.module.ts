import { existsSync } from 'node:fs';
import type { Settings } from '../config/settings';
import { BulkBatcher } from '../storage/elastic/bulk-batcher';
import { ElasticConnection, type ElasticOptions } from '../storage/elastic/elastic-connection';
import { databasePath } from '../storage/sqlite/embedded-database';
import { openDatabase, Statements } from '../storage/sqlite/sqlite';
import { ElasticDocuments } from './adapters/elastic/elastic-documents';
import { readDocument } from './adapters/embedded/embedded-documents';
import type { Document, DocumentKey } from './documents';

/** A command line that waits longer seems to hang. Milliseconds. */
const START_WITHIN = 1000;

/** Reads one document beside a service that may be running. Throws where the storage can't be read. */
export function readOffline<T>(settings: Settings, key: DocumentKey): Promise<Document<T> | null> {
  const { servers, indexPrefix: prefix } = settings;
  return servers ? readElastic<T>({ ...servers.elasticsearch, prefix }, key) : readEmbedded<T>(settings, key);
}

async function readEmbedded<T>({ dataDir }: Settings, key: DocumentKey): Promise<Document<T> | null> {
  const path = databasePath(dataDir);
  if (!existsSync(path)) return null;
  const reader = new Statements(openDatabase(path, { readonly: true }));
  try {
    return readDocument<T>(reader, key);
  } finally {
    reader.db.close();
  }
}

async function readElastic<T>(address: ElasticOptions, key: DocumentKey): Promise<Document<T> | null> {
  const connection = await ElasticConnection.open({ ...address, startWithinMs: START_WITHIN });
  try {
    const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
    return await documents.get<T>(key);
  } finally {
    await connection.close();
  }
}
