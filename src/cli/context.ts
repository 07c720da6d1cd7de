import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Clock } from '../shared/clock';
import { loadSecrets } from '../config/secrets';
import { type Environment, loadClientSettings, loadSettings, type Settings } from '../config/settings';
import { type AdminRole, signAdminToken } from '../stores/access/admin-tokens';
import { apiKeyKey } from '../stores/store-documents';
import { AdminClient, type CallOptions, CliError, type Method } from './admin-client';

/** A token the command line signs for itself lives this long: the clocks are the same one. */
const OWN_TOKEN_DAYS = 1 / 24;
const DAY_MS = 86_400_000;

/** What every command works with: the environment, the terminal and the running service. */
export class CliContext {
  constructor(
    private readonly env: Environment,
    private readonly clock: Clock,
    private readonly write: (text: string) => void,
  ) {}

  /** Text as it is; anything else as JSON. Nothing for an empty reply. */
  print(value: unknown): void {
    if (value === undefined) return;
    this.write(`${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}\n`);
  }

  /** Calls an admin route of the running service and prints its reply. */
  async show(method: Method, path: string, options: CallOptions = {}): Promise<void> {
    this.print(await this.client().call(method, path, options));
  }

  /** As the service of this environment would read them. */
  settings(): Settings {
    return loadSettings(this.env);
  }

  /** Signed with the secret of the settings or the data folder; no service has to run. */
  signToken({ role, days, ...bound }: { role: AdminRole; days: number; store?: string; storeId?: string }): string {
    const secrets = loadSecrets(this.settings());
    return signAdminToken(secrets, { role, ...bound }, { now: this.clock.now(), days }).token;
  }

  /** What binds a token to a store: the store itself too, where it is there and the storage can be read. */
  async bindingTo(store: string): Promise<{ store: string; storeId?: string }> {
    // Loaded only here: other commands are done sooner than that.
    const { readOffline } =
      require('../documents/offline-documents.module') as typeof import('../documents/offline-documents.module');
    const found = await readOffline<{ id: string }>(this.settings(), apiKeyKey(store)).catch(() => null);
    return found ? { store, storeId: found.body.id } : { store };
  }

  client(): AdminClient {
    const { url, token } = loadClientSettings(this.env);
    return new AdminClient(url ?? this.settings().urls.public, token === undefined ? this.ownTokens() : () => token);
  }

  /** A new one when half of its time is over: an upload, or a job that is watched, may take longer. */
  private ownTokens(): () => string {
    let token = '';
    let until = 0;
    return () => {
      const now = this.clock.now();
      if (now < until) return token;
      until = now + (OWN_TOKEN_DAYS * DAY_MS) / 2;
      token = this.signToken({ role: 'ops', days: OWN_TOKEN_DAYS });
      return token;
    };
  }
}

/** A command below `parent`: `add(store, 'show <apiKey>', 'one store').action(...)`. */
export const add = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description);

/** The same of one store: with `--store <apiKey>`. */
export const addForStore = (parent: Command, usage: string, description: string): Command =>
  add(parent, usage, description).requiredOption('--store <apiKey>');

/** The admin route of a store, and of what is below it. */
export const storePath = (apiKey: string, rest = ''): string => `/admin/stores/${encodeURIComponent(apiKey)}${rest}`;

/** Of a command with `--store <apiKey>`. */
export interface StoreOption {
  store: string;
}

/** A JSON file; `-` is standard input. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as unknown;
  } catch (error) {
    throw new CliError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
