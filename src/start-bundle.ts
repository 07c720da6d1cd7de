import { join } from 'node:path';
import { type LoadedCode, loadCode } from './code-cache';
import { setHeapFlags } from './heap-flags';

/** The bundle of the whole service, which the build makes of start.ts. */
export const startFile = join(__dirname, 'start.js');

export function loadStart(): LoadedCode<typeof import('./start')> {
  setHeapFlags();
  return loadCode(startFile);
}
