// Loaded into a service before its own code: at its end it writes the paths of all modules of packages that it had loaded, to the file LOADED_MODULES.
const { writeFileSync } = require('node:fs');

const file = process.env.LOADED_MODULES;
process.on('exit', () =>
  writeFileSync(
    file,
    Object.keys(require.cache)
      .filter((path) => path.includes('node_modules'))
      .join('\n'),
  ),
);
