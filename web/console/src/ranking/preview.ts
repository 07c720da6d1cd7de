import { answerOf, api } from '../api/client.ts';

export interface PreviewRequest {
  terms: string;
  users: readonly string[];
  limit: number;
  filter?: readonly string[];
  source?: string;
  /** Absent: the template that serves. */
  template?: { name: string; version?: number };
}

/** The list of templates, and which one serves. */
export async function templatesOf(apiKey: string, signal?: AbortSignal) {
  const init = { params: { path: { apiKey } }, ...(signal ? { signal } : {}) };
  return answerOf(api.GET('/admin/stores/{apiKey}/templates', init));
}

/** A search for nobody and for each shopper, with what serves and with a template. It leaves nothing behind. */
export async function previewOf(apiKey: string, request: PreviewRequest, signal?: AbortSignal) {
  const { terms, users, limit, filter = [], source = '', template } = request;
  const serving = template ?? (await servingTemplate(apiKey, signal));
  const body = {
    terms,
    users: [...users],
    limit,
    ...(serving.version === undefined ? {} : { version: serving.version }),
    ...(filter.length > 0 ? { filter: [...filter] } : {}),
    ...(source === '' ? {} : { source }),
  };
  const path = { apiKey, name: serving.name };
  const init = { params: { path }, body, ...(signal ? { signal } : {}) };
  return answerOf(api.POST('/admin/stores/{apiKey}/templates/{name}/preview', init));
}

async function servingTemplate(apiKey: string, signal?: AbortSignal): Promise<{ name: string; version?: number }> {
  const { templates } = await templatesOf(apiKey, signal);
  const active = templates.find((one) => one.active);
  if (!active) return { name: 'default' };
  const { name, activeVersion } = active;
  return { name, ...(activeVersion === undefined ? {} : { version: activeVersion }) };
}

export type Preview = Awaited<ReturnType<typeof previewOf>>;
