import { errors } from '../../src/shared/error-catalogue';

const INTRODUCTION = `# Errors

<!-- Made by npm run docs from src/http/error-catalogue.ts: change that. -->

Every failure is JSON of one shape:

\`\`\`json
{
  "code": 400,
  "error": "invalid_parameter",
  "message": "resultsPerPage: Too big: expected number to be <=100",
  "requestId": "5f0c1a52-6f0e-4d0e-9a39-0a6f6a1f3a0b",
  "details": [{ "path": "resultsPerPage", "message": "Too big: expected number to be <=100" }]
}
\`\`\`

- \`code\` is the HTTP status. No success has a \`code\` at its top level.
- \`error\` is one of the words below. It is stable: decide by it.
- \`message\` is for people and may change. It says what is wrong and what is accepted.
- \`requestId\` is also in the header \`X-Request-Id\` and in the service's log. Send your own \`X-Request-Id\` (1 to 128 of
  \`A-Z a-z 0-9 . _ : -\`) to find a request again.
- \`details\` comes with validation errors, and with a 404 of inspection: the path of each mistake.
- A 404 of the search's lists also has a \`searchId\`.
- A 429 and a 503 have \`Retry-After\`, in seconds. A 401 about a token has \`WWW-Authenticate\`.
`;

/** A table as prettier writes it. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** docs/errors.md, as the catalogue has it. */
export function errorsPage(): string {
  const rows = Object.entries(errors).map(([word, { status, what, advice }]) => [
    `\`${word}\``,
    String(status),
    what,
    advice,
  ]);
  return `${INTRODUCTION}\n${table([['`error`', 'Status', 'What happened', 'What to do'], ...rows])}\n`;
}
