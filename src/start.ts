import { setFlagsFromString } from 'node:v8';
import { loadSettings, processEnvironment, type Settings, SettingsError } from './config/settings';
import { startEarly } from './early-start';

/**
 * Settings first: a wrong one is refused at once. Then the threads of the embedded storage, so that they work while the whole
 * service is loaded. `role`: whatever the environment says.
 */
export async function start(role?: Settings['role']): Promise<void> {
  // Heaps of all threads may grow by a quarter before garbage is collected, not by the usual factor of up to four: what a load
  // of a hundred thousand products leaves behind would stay resident.
  setFlagsFromString('--heap-growing-percent=25');
  const settings = readSettings(role);
  const started = settings.storage === 'embedded' ? startEarly(settings) : undefined;
  const { runService } = require('./service') as typeof import('./service');
  await runService(settings, started);
}

function readSettings(role: Settings['role'] | undefined): Settings {
  try {
    return loadSettings({ ...processEnvironment(), ...(role ? { ROLE: role } : {}) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`vitrine did not start: ${error.message}\n`);
    process.exit(1);
  }
}
