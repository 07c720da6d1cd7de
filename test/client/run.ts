import { writeFileSync } from 'node:fs';
import { embeddedMode } from '../support/modes';
import { startWholeApp } from '../support/whole-app';
import { clientTypes, type OpenApi, SCHEMA_FILE } from './generate';

/** `npm run client`: the types of the client, from the routes as they are. */
async function run(): Promise<void> {
  const service = await startWholeApp(embeddedMode);
  const { json } = await service.send({ path: '/openapi.json' });
  writeFileSync(SCHEMA_FILE, clientTypes(json as unknown as OpenApi));
  await service.close();
}

void run();
