// `npm run -s vitrine -- <noun> <verb>`: the command line from a checkout.
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';

ensure();
await import(join(root, 'dist', 'cli.js'));
