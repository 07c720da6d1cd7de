// Checks the types of everything under `web`, one program each.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './ensure.mjs';

const web = join(root, 'web');
for (const entry of readdirSync(web, { withFileTypes: true })) {
  if (entry.isDirectory()) run(join(root, 'node_modules', '.bin', 'tsc'), ['--noEmit', '-p', join(web, entry.name)]);
}
