const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file; of all suites of this worker process. */
const compiled = new Map();

/** What V8 has compiled of a module, whichever suite loaded it. `columnOffset`: messages name the columns of the module itself. */
function scriptOf(filename, source, head) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.script;
  const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  compiled.set(filename, { source, script });
  return script;
}

/**
 * Every suite has modules of its own, in a context of its own, as always; but the code of a module is compiled once for all suites of a
 * worker process. Most suites load the same thousand modules.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      // The original says what is wrong with code that can't be compiled.
      if (context === null || executor.resolution.isCoreModule(filename)) return compile(source, filename);
      try {
        return scriptOf(filename, source, head).runInContext(context);
      } catch {
        return compile(source, filename);
      }
    };
  }
};
