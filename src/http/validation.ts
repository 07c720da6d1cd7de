import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, type ErrorDetail } from '../shared/api-error';

type Where = 'body' | 'query';

/** Mistakes that a reply lists. */
const MOST_DETAILS = 100;

/** The value as the schema types it. Throws `invalid_body` or `invalid_parameter` with the path of each mistake. */
export function validate<S extends z.ZodType>(schema: S, value: unknown, where: Where): z.output<S> {
  if (where === 'body') refuseStream(value);
  // A missing body counts as an empty one: the schema says what is missing.
  const result = schema.safeParse(value === undefined && where === 'body' ? {} : value);
  if (result.success) return result.data;
  throw invalid(result.error, where);
}

/** NDJSON and other feeds arrive as streams, which are objects to a schema. Throws 415 for one. */
export function refuseStream(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('pipe' in body) || typeof body.pipe !== 'function') return;
  throw new ApiError('unsupported_media_type', 'This route takes JSON: send it with content-type application/json');
}

function invalid(error: z.ZodError, where: Where): ApiError {
  const details = error.issues.flatMap((issue) => describe(issue)).slice(0, MOST_DETAILS);
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  const path = first?.path ? `${first.path}: ` : '';
  const code = where === 'body' ? 'invalid_body' : 'invalid_parameter';
  return new ApiError(code, `${path}${first?.message}${more}`, { details });
}

function describe(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'Unknown key' }));
  }
  const missing = /^Invalid input: expected (.+), received undefined$/.exec(issue.message);
  const message = missing ? `Required: ${missing[1]}` : issue.message;
  return [{ path: issue.path.join('.'), message: unionMessage(issue) ?? message }];
}

/** What the variants of a union accept; "Invalid input" alone says nothing. */
function unionMessage(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return undefined;
  const messages = issue.errors.flatMap((variant) => variant.slice(0, 1).map((first) => first.message));
  return messages.length > 0 ? [...new Set(messages)].join(', or ') : undefined;
}

/** Applies the schema of `@Body({ schema })`, `@Query({ schema })` and `@Param({ schema })`. */
@Injectable()
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, { schema, type }: ArgumentMetadata): unknown {
    return schema instanceof z.ZodType ? validate(schema, value, type === 'body' ? 'body' : 'query') : value;
  }
}
