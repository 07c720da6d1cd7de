import { z } from 'zod';

/** What a schema accepts, for a body that is read in some other way than by `@Body({ schema })`. */
export function openApiSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'openapi-3.0',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  return rest;
}
