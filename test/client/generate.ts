import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/storage/threads';

/** Of an OpenAPI document, as far as it is looked at here. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  parameters?: { name: string }[];
  responses: Record<string, object>;
}

export const SCHEMA_FILE = join(projectRoot, 'web', 'client', 'src', 'schema.ts');

const ERROR = { $ref: '#/components/schemas/Error' };
const FAILED = { description: 'See docs/errors.md', content: { 'application/json': { schema: ERROR } } };
/** The client sends them by itself. */
const KEY_HEADERS = ['x-api-key', 'x-secret-key'];

/** The same with all failures of an operation as one: they have the same shape, and would be three quarters of the types. */
function slim({ parameters = [], responses, ...rest }: Operation): Operation {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return {
    ...rest,
    parameters: parameters.filter(({ name }) => !KEY_HEADERS.includes(name)),
    responses: { ...Object.fromEntries(good), default: FAILED },
  };
}

/** What `web/client/src/schema.ts` has to be for a service with this document. */
export function clientTypes(document: OpenApi): string {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, slim(operation)])),
    ]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-client-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')];
    writeFileSync(input, JSON.stringify({ ...document, paths }));
    const generator = join(projectRoot, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
    execFileSync(process.execPath, [generator, input, '--output', output], { stdio: 'pipe' });
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
