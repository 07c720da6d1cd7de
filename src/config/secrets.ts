import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from './private-files';
import { type Settings, SettingsError } from './settings';

/** The service's own secrets: the first of each signs, all of them verify. Also the injection token for them. */
export abstract class Secrets {
  /** Signs admin and inspection tokens, and keys the hashes of the stores' secrets. */
  abstract readonly adminSecret: readonly string[];
  /** Signs click hashes and tracking ids. */
  abstract readonly linkSecret: readonly string[];
}

const list = z.array(z.string().min(32)).min(1).max(2);
const fileSchema = z.object({ adminSecret: list, linkSecret: list });

/**
 * The secrets of the settings; what they don't name comes from `<dataDir>/secrets.json`, made here the first time and
 * readable by its owner alone. Needs no running service: the command line signs its tokens with the same file.
 */
export function loadSecrets(settings: Pick<Settings, 'dataDir' | 'adminSecrets' | 'linkSecrets'>): Secrets {
  const { adminSecrets, linkSecrets } = settings;
  if (adminSecrets && linkSecrets) return { adminSecret: adminSecrets, linkSecret: linkSecrets };
  const kept = readOrMake(settings.dataDir);
  return { adminSecret: adminSecrets ?? kept.adminSecret, linkSecret: linkSecrets ?? kept.linkSecret };
}

function readOrMake(folder: string): Secrets {
  const path = join(folder, 'secrets.json');
  if (!existsSync(path)) make(folder, path);
  // A copied data folder may have lost the mode.
  chmodSync(path, 0o600);
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new SettingsError(
      `${path} is not readable: it holds adminSecret and linkSecret, each one or two strings of at least 32 characters`,
      { cause },
    );
  }
}

const random = (): string => randomBytes(32).toString('base64url');

/** Written beside and linked into place, so that two processes starting at once end up with the same secrets. */
function make(folder: string, path: string): void {
  makePrivateFolder(folder);
  const draft = `${path}.${process.pid}`;
  const text = JSON.stringify({ adminSecret: [random()], linkSecret: [random()] }, null, 2);
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
