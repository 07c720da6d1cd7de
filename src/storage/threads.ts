import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's root: the folder that holds package.json, found from here or from dist. */
export const projectRoot = ((): string => {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

/**
 * Path of a compiled module for a worker thread, by its path in `src`: `storage/sqlite/writer.thread`. Threads run plain JavaScript, in
 * tests too: `npm test` builds first.
 */
export function compiled(module: string): string {
  const path = join(projectRoot, 'dist', `${module}.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm run build" first`);
  return path;
}
