import { answerOf, api } from '../../api/client.ts';
import type { Document } from './document.ts';

/** What the template routes are asked. */

export interface Version {
  name: string;
  version?: number | undefined;
}

const at = (apiKey: string, { name, version }: Version, signal?: AbortSignal) => ({
  params: { path: { apiKey, name }, query: version === undefined ? {} : { version } },
  ...(signal ? { signal } : {}),
});

export const readTemplate = (apiKey: string, which: Version, signal: AbortSignal) =>
  answerOf(api.GET('/admin/stores/{apiKey}/templates/{name}', at(apiKey, which, signal)));

/** Typed by hand or by a form: the service tells what is wrong with it. */
export const putTemplate = (apiKey: string, name: string, document: Document) =>
  answerOf(
    api.PUT('/admin/stores/{apiKey}/templates/{name}', { params: { path: { apiKey, name } }, body: document as never }),
  );

export const mistakesOf = async (apiKey: string, document: Document, signal: AbortSignal) => {
  const body = document as Record<string, unknown>;
  const init = { params: { path: { apiKey } }, body, signal };
  return (await answerOf(api.POST('/admin/stores/{apiKey}/templates/validate', init))).mistakes;
};

/** From another version of the same template, or without one from what serves. */
export const diffOf = (apiKey: string, { name, version, from }: Version & { from?: number }, signal: AbortSignal) => {
  const query = {
    ...(version === undefined ? {} : { version }),
    ...(from === undefined ? {} : { fromVersion: from }),
  };
  const init = { params: { path: { apiKey, name }, query }, signal };
  return answerOf(api.GET('/admin/stores/{apiKey}/templates/{name}/diff', init));
};

export const activate = (apiKey: string, { name, version }: Version, force: boolean) => {
  const body = { ...(version === undefined ? {} : { version }), force };
  const init = { params: { path: { apiKey, name } }, body: body as never };
  return answerOf(api.POST('/admin/stores/{apiKey}/templates/{name}/activate', init));
};

export const rollBack = (apiKey: string) =>
  answerOf(api.POST('/admin/stores/{apiKey}/templates/rollback', { params: { path: { apiKey } } }));

export interface Period {
  from: string;
  to: string;
}

export const startReplay = (apiKey: string, { name, version }: Version, period: Period) => {
  const body = { ...period, ...(version === undefined ? {} : { version }) };
  const init = { params: { path: { apiKey, name } }, body: body as never };
  return answerOf(api.POST('/admin/stores/{apiKey}/templates/{name}/replay', init));
};

export const readReplay = (apiKey: string, which: Version, signal: AbortSignal) =>
  answerOf(api.GET('/admin/stores/{apiKey}/templates/{name}/replay', at(apiKey, which, signal)));
export type Replay = Awaited<ReturnType<typeof readReplay>>;

export interface Tuning extends Period {
  objective: string;
  budget: number;
  name: string;
}

export const startTuning = (apiKey: string, tuning: Tuning) => {
  const init = { params: { path: { apiKey } }, body: tuning as never };
  return answerOf(api.POST('/admin/stores/{apiKey}/templates/tune', init));
};

export const readTuning = (apiKey: string, which: Version, signal: AbortSignal) =>
  answerOf(api.GET('/admin/stores/{apiKey}/templates/{name}/tuning', at(apiKey, which, signal)));

export type Tuned = Awaited<ReturnType<typeof readTuning>>;

/** Descriptions by path, as the published schema has them. */
export async function readHints(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const schema = await answerOf(api.GET('/admin/schemas/boost-template.json', { signal }));
  const hints = new Map<string, string>();
  const collect = (part: unknown, path: readonly string[]): void => {
    const { description, properties } = Object(part) as { description?: string; properties?: object };
    if (description !== undefined) hints.set(path.join('.'), description);
    for (const [name, inner] of Object.entries(properties ?? {})) collect(inner, [...path, name]);
  };
  collect(schema, []);
  return hints;
}
