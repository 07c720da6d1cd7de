import { z } from 'zod';

/** A schema as OpenAPI, for a body that is not read by `@Body({ schema })`. */
export function openApiSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'openapi-3.0',
    unrepresentable: 'any',
  }) as Record<string, unknown>;
  return rest;
}
