import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { projectRoot } from '../../src/storage/threads';
import type * as client from '../../web/client/src/index';

/** The client with all it needs, as one script. */
function bundled(options: BuildOptions): string {
  const entryPoints = [join(projectRoot, 'web', 'client', 'src', 'index.ts')];
  const { outputFiles } = buildSync({ ...options, entryPoints, bundle: true, write: false });
  return outputFiles?.[0]?.text ?? '';
}

/** For a page: `vitrineClient.createVitrine`. */
export const forPages = (): string => bundled({ format: 'iife', globalName: 'vitrineClient' });

/** For this process. */
export function forNode(): typeof client {
  const module = { exports: {} };
  // oxlint-disable-next-line typescript/no-implied-eval -- the text is what was just bundled
  new Function('module', 'exports', 'require', bundled({ format: 'cjs', platform: 'node' }))(
    module,
    module.exports,
    require,
  );
  return module.exports as typeof client;
}
