const { availableParallelism } = require('node:os');

// Nest 12 is ESM inside; Jest on Node 20 needs it as CommonJS.
const source = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    target: 'es2022',
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'commonjs' },
};

module.exports = {
  testEnvironment: 'node',
  // Suites wait for servers, disks and clocks: three of them keep two cores busy.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Tells a hang from a busy machine: no test measures time.
  testTimeout: 30_000,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.(e2e-)?spec\\.ts$',
  moduleFileExtensions: ['js', 'json', 'ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { ...source, swcrc: false }],
    '/node_modules/.+\\.js$': ['@swc/jest', { swcrc: false, jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/)'],
  runtime: '<rootDir>/test/support/sharing-runtime.js',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  globalSetup: '<rootDir>/test/servers/setup.ts',
  globalTeardown: '<rootDir>/test/servers/teardown.ts',
  reporters: [
    'default',
    '<rootDir>/test/support/bindings-reporter.js',
    '<rootDir>/test/support/closing-line-reporter.js',
  ],
};
