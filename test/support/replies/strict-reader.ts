import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { addressOf, type Call, type Reply, type Send } from '../store-client';
import {
  autocompleteReply,
  hotsiteReply,
  navigateReply,
  parts,
  queriesReply,
  type Schema,
  searchReply,
} from './schemas';

/** What each address answers with 200; another list of the interface gets its line here. */
const routes: readonly [path: RegExp, schema: Schema][] = [
  [/^\/searchapi\/v3\/queries\/?$/i, queriesReply],
  [/^\/(?:searchapi|engage\/search)\/v3\/search\/?$/i, searchReply],
  [/^\/engage\/search\/v3\/navigates\/?$/i, navigateReply],
  [/^\/engage\/search\/v3\/hotsites\/?$/i, hotsiteReply],
  [/^\/engage\/search\/v3\/autocompletes(?:\/\w+)?\/?$/i, autocompleteReply],
];

/** Compiled for a handful of replies in each suite: how soon counts for more than how well. */
const quickly = { inlineRefs: false, code: { optimize: false } };
const ajv = addFormats(new Ajv({ strict: false, allErrors: true, ...quickly })).addSchema(parts);
const compiled = new Map<Schema, ValidateFunction>();

/** Compiled when the first reply is read: few suites read all, and many none. */
function readerOf(path: string): ValidateFunction | undefined {
  const schema = routes.find(([known]) => known.test(path))?.[1];
  if (!schema) return undefined;
  const reader = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, reader);
  return reader;
}

/** What of a reply is not as the contract has it; null: nothing. */
export function contradiction(call: Call, { status, json }: Reply): string | null {
  const path = addressOf(call).split('?', 1)[0] ?? '';
  const isRead = status === 200 && (call.method ?? 'GET') === 'GET';
  const reader = isRead ? readerOf(path) : undefined;
  if (!reader || reader(json)) return null;
  const wrong = (reader.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return `${path} answered what the contract does not have: ${wrong.slice(0, 8).join('; ')}`;
}

/** Reads every reply strictly: a search that answers anything else than the contract says fails its test. */
export function strictly(send: Send): Send {
  return async (call) => {
    const reply = await send(call);
    const wrong = contradiction(call, reply);
    if (wrong !== null) throw new Error(wrong);
    return reply;
  };
}
