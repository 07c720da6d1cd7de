import { editDistance } from '../shared/edit-distance';
import { readTextFile } from './server-access';
import { SettingsError } from './settings-error';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each may be given as the content of a file, by a variable of its name and this: as containers are given secrets. */
const FILE = '_FILE';
/** Letters that a name may be away from a setting's to be a mistyped one. */
const MISTYPED = 2;
/** Shorter names are like too many others. */
const LEAST_LENGTH = 8;
/** What begins so is meant for us, but for what Kubernetes says of services of that name. */
const OURS = /^(ELASTICSEARCH|REDIS)_(?!SERVICE_|PORT)/;

/**
 * The variables that are set, those of secrets from their files where such are named. An empty one is how compose files and shells say "not
 * set". Throws SettingsError where a file can't be read, or a secret is given twice.
 */
export function givenSettings(env: Environment, secrets: ReadonlySet<string>): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') given[name] = value;
  for (const name of secrets) {
    const path = given[`${name}${FILE}`];
    if (path === undefined) continue;
    if (given[name] !== undefined) throw new SettingsError(`${name} and ${name}${FILE} are both set: one is enough`);
    given[name] = readTextFile(`${name}${FILE}`, path).trim();
  }
  return given;
}

/** Lines about variables that nothing reads and that look like settings. `known`: the names of all settings. */
export function mistypedSettings(
  env: Environment,
  { known, secrets }: { known: readonly string[]; secrets: ReadonlySet<string> },
): string[] {
  const names = [...known, ...[...secrets].map((name) => `${name}${FILE}`)];
  return Object.keys(env).flatMap((name) => {
    if (names.includes(name) || !env[name]) return [];
    const near = names.find((other) => other.length >= LEAST_LENGTH && editDistance(name, other, MISTYPED) <= MISTYPED);
    if (near === undefined && !OURS.test(name)) return [];
    return [`${name} is no setting of vitrine${near === undefined ? '' : `: ${near} is`}`];
  });
}
