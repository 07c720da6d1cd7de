// Keeps what V8 compiles of the bundle when the service is loaded: a start need not compile it again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { root } from './ensure.mjs';

const { loadStart, startFile } = createRequire(import.meta.url)(join(root, 'dist', 'start-bundle.js'));
const { exports, compiled } = loadStart();
exports.loadService();
writeFileSync(`${startFile}.cache`, compiled());
process.exit();
