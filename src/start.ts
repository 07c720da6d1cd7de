import { setFlagsFromString } from 'node:v8';
import { loadSettings, mistypedIn, processEnvironment, type Settings, SettingsError } from './config/settings';
import { startEarly } from './early-start';
import { EndOnSignals } from './end-on-signals';
import { keepHeapCompact } from './heap-upkeep';

/**
 * Reads the settings first, so that a wrong one is refused at once. Then starts the threads of the embedded storage, which work while the
 * service is loaded. `role`: overrides the environment.
 */
export async function start(role?: Settings['role']): Promise<void> {
  // A heap may grow by a quarter before garbage is collected, instead of by a factor of up to four: otherwise the garbage of loading a
  // hundred thousand products would stay resident.
  setFlagsFromString('--heap-growing-percent=25');
  // The young generation of this thread is as it was started with. That of a thread is as the thread asks for, unless this flag says otherwise.
  setFlagsFromString('--max-semi-space-size=0');
  keepHeapCompact();
  const signals = new EndOnSignals();
  const settings = readSettings(role);
  const started = settings.storage === 'embedded' ? startEarly(settings) : undefined;
  const { runService } = require('./service') as typeof import('./service');
  await runService(settings, { started, signals });
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
