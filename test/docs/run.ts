import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './errors-page';

// `npm run docs`: the pages that are made of code.
writeFileSync(join(__dirname, '../../docs/errors.md'), errorsPage());
