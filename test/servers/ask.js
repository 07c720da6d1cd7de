// `node ask.js SOCKET KIND` prints what the keeper answers. A process of its own, so that a suite can wait for it while it
// registers its tests.
const { request } = require('node:http');

const [socketPath, kind] = process.argv.slice(2);
const LONGEST_WAIT = 30_000;
const since = Date.now();

function ask() {
  request({ socketPath, path: `/${kind}` }, (response) => response.pipe(process.stdout))
    .on('error', (error) => {
      // The keeper is still loading.
      const loading = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      if (!loading || Date.now() - since > LONGEST_WAIT) throw error;
      setTimeout(ask, 50);
    })
    .end();
}

ask();
