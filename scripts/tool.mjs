// Runs a TypeScript tool of the project (a benchmark, the quality measurement): `node scripts/tool.mjs bench/run.ts ...`.
import { join } from 'node:path';
import { ensure, root, run } from './ensure.mjs';

ensure();
const [tool, ...args] = process.argv.slice(2);
run(process.execPath, ['--require', '@swc-node/register', join(root, tool), ...args]);
