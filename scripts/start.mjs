// `npm start`: installs what is missing, builds what is stale, starts the service.
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';

ensure();
process.chdir(root);
await import(join(root, 'dist', 'main.js'));
