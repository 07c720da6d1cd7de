import { errors } from '../../src/shared/error-catalogue';
import { table } from './table';

const INTRODUCTION = `# Errors

<!-- Made by npm run docs from src/shared/error-catalogue.ts: change that. -->

Every failure is JSON of one shape:

\`\`\`json
{
  "code": 400,
  "error": "invalid_parameter",
  "message": "productFormat: must be one of: onlyIds, compact, complete",
  "requestId": "5f0c1a52-6f0e-4d0e-9a39-0a6f6a1f3a0b",
  "details": [{ "path": "productFormat", "message": "must be one of: onlyIds, compact, complete" }]
}
\`\`\`

- \`code\` is the HTTP status. No success has a \`code\` at its top level.
- \`error\` is one of the codes below. It is stable: decide by it.
- \`message\` is for people and may change. It says what is wrong and what is accepted.
- \`requestId\` is also in the header \`X-Request-Id\` and in the service's log. Send your own \`X-Request-Id\` (1 to 128 of
  \`A-Z a-z 0-9 . _ : -\`) to find a request again.
- \`details\` comes with validation errors, and with a 404 of inspection: the path of each mistake.
- A 404 of the search's lists also has a \`searchId\`.
- A 429 and a 503 have \`Retry-After\`, in seconds. A 401 about a token has \`WWW-Authenticate\`.
`;

/** docs/errors.md, as the catalogue has it. */
export function errorsPage(): string {
  const rows = Object.entries(errors).map(([code, [status, what, advice]]) => [
    `\`${code}\``,
    String(status),
    what,
    advice,
  ]);
  return `${INTRODUCTION}\n${table([['`error`', 'Status', 'What happened', 'What to do'], ...rows])}\n`;
}
