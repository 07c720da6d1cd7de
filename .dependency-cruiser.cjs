// The layers of layers.json as rules: a folder of `src` imports from folders of lower layers alone, types included.
const layers = require('./layers.json').map((rooms) => Object.keys(rooms));

const inside = (rooms) => `^src/(${rooms.join('|')})/`;

const upward = layers.flatMap((rooms, index) =>
  rooms.map((room) => {
    const allowed = [room, ...layers.slice(0, index).flat()];
    return {
      name: `${room}-imports-from-below`,
      comment: `layers.json: src/${room} may import from ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: inside([room]) },
      to: { path: '^src/', pathNot: inside(allowed) },
    };
  }),
);

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-circle',
      comment: 'Files that need each other are one thing, or hide a third',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-folder-has-a-layer',
      comment: 'layers.json names every folder of src',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: inside(layers.flat()) },
      to: {},
    },
  ],
  options: {
    includeOnly: '^src/',
    exclude: '[.]spec[.]ts$',
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types are imports, too.
    tsPreCompilationDeps: true,
  },
};
