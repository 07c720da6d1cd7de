import { loadSettings, mistypedIn, processEnvironment, type Settings, SettingsError } from './config/settings';
import { startEarly } from './early-start';
import { EndOnSignals } from './end-on-signals';
import { keepHeapCompact } from './heap-upkeep';

/**
 * Reads the settings first, so that a wrong one is refused at once. Then starts the threads of the embedded storage, which work while the
 * service is loaded. `role`: overrides the environment.
 */
export async function start(role?: Settings['role']): Promise<void> {
  keepHeapCompact();
  const signals = new EndOnSignals();
  const settings = readSettings(role);
  const started = settings.storage === 'embedded' ? startEarly(settings) : undefined;
  await loadService().runService(settings, { started, signals });
}

/** Most of the code. It is loaded when threads of the storage are at work already. */
export function loadService(): typeof import('./service') {
  return require('./service') as typeof import('./service');
}

function readSettings(role: Settings['role'] | undefined): Settings {
  try {
    const env = processEnvironment();
    for (const line of mistypedIn(env)) process.stderr.write(`vitrine: ${line}\n`);
    return loadSettings({ ...env, ...(role ? { ROLE: role } : {}) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`vitrine did not start: ${error.message}\n`);
    process.exit(1);
  }
}
