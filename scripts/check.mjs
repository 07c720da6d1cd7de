// `npm run check`: everything that must hold before a commit; the closing line is the test run's totals.
import { join } from 'node:path';
import { ensure, root, run } from './ensure.mjs';

ensure();
const bin = (name) => join(root, 'node_modules', '.bin', name);
run(bin('prettier'), ['--check', '--log-level=warn', '.']);
run(bin('oxlint'), ['--deny-warnings']);
run('npm', ['run', '--silent', 'types']);
run(bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'src']);
run(process.execPath, [join(root, 'scripts', 'test.mjs')]);
