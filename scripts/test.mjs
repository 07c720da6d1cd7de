// `npm test [-- jest arguments]`: installs what is missing, builds what the worker threads run, runs every suite.
import { join } from 'node:path';
import { ensure, root, run } from './ensure.mjs';

ensure();
run(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...process.argv.slice(2)]);
