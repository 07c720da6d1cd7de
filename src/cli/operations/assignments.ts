import { CliError } from '../admin-client';

/** `language=en`, `halfLife.view=7d`, `showOnlyAvailable=true`: JSON where it is JSON, else text. */
export function parseAssignments(assignments: string[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const equals = assignment.indexOf('=');
    if (equals < 1) throw new CliError(`"${assignment}" is no setting: write name=value, such as currency=EUR`);
    const [name = '', inner] = assignment.slice(0, equals).split('.', 2);
    const value = parseValue(assignment.slice(equals + 1));
    settings[name] = inner === undefined ? value : { ...(settings[name] as object | undefined), [inner]: value };
  }
  return settings;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
