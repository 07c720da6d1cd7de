import { validate } from '../../http/validation';
import { templateBodySchema, templateDocument, type TemplateDocument } from '../../ranking/template/template-document';
import { ApiError, type ErrorDetail } from '../../shared/api-error';

/** A template as a body says it; the address names it. Throws 400 with the path of each mistake. */
export function sentTemplate(name: string, body: unknown): TemplateDocument {
  const document = templateDocument(validate(templateBodySchema, named(name, body), 'body'));
  if (document.name === name) return document;
  const message = `The body is of template "${document.name}", and the address of "${name}"`;
  throw new ApiError('invalid_body', message, { details: [{ path: 'name', message }] });
}

/** What `sentTemplate` would refuse. */
export function mistakesOf(body: unknown): ErrorDetail[] {
  try {
    validate(templateBodySchema, body, 'body');
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_body') throw error;
    return error.options.details ?? [];
  }
}

/** A body with the name of its address, unless it says one. */
export function named(name: string, body: unknown): unknown {
  if (body === undefined || body === null) return { name };
  return typeof body === 'object' && !Array.isArray(body) && !('name' in body) ? { name, ...body } : body;
}
