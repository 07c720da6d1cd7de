import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLayers } from './architecture-page';
import { errorsPage } from './errors-page';

// `npm run docs`: the pages, and the sections, that are made of code and data.
const docs = join(__dirname, '../../docs');
writeFileSync(join(docs, 'errors.md'), errorsPage());
const architecture = join(docs, 'architecture.md');
writeFileSync(architecture, withLayers(readFileSync(architecture, 'utf8')));
