/** A setting that is wrong or missing; `message` is one line that names each and says what is accepted. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
