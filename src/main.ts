import { setFlagsFromString } from 'node:v8';
import { loadSettings, type Settings, SettingsError } from './config/settings';
import { startEarly } from './early-start';

// Heaps of all threads may grow by a quarter before garbage is collected, not by the usual factor of up to four: what a load
// of a hundred thousand products leaves behind would stay resident.
setFlagsFromString('--heap-growing-percent=25');

/**
 * Settings first: a wrong one is refused at once. Then the threads of the embedded storage, so that they work while the whole
 * service is loaded.
 */
async function main(): Promise<void> {
  const settings = readSettings();
  const started = settings.storage === 'embedded' ? startEarly(settings) : undefined;
  const { runService } = require('./service') as typeof import('./service');
  await runService(settings, started);
}

function readSettings(): Settings {
  try {
    return loadSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`vitrine did not start: ${error.message}\n`);
    process.exit(1);
  }
}

void main();
