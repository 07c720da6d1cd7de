import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import type { ErrorCode } from '../../shared/error-catalogue';

/** Where the codes of errors wait until the whole document is there (document-errors.ts). */
export const ROUTE_REFUSES = 'x-route-refuses';
export const CALLER_REFUSES = 'x-caller-refuses';

/** What a route answers when all is well, in the OpenAPI document: a body of this schema, or none. */
export function Answers(status: number, schema: z.ZodType | null, description = ''): MethodDecorator {
  return ApiResponse({ status, description, ...(schema ? { standardSchema: schema } : {}) });
}

/** The same of a route that answers no JSON. */
export function AnswersAs(type: string, description: string, status = 200): MethodDecorator {
  return ApiResponse({ status, description, content: { [type]: { schema: { type: 'string' } } } });
}

/** Errors of the route itself. Those of its guard, and those that any body, address or storage may cause, add themselves. */
export function Refuses(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(ROUTE_REFUSES, codes) as MethodDecorator;
}

/** Errors of a guard, on every route it stands before. */
export function CallerRefuses(...codes: ErrorCode[]): ClassDecorator & MethodDecorator {
  return applyDecorators(ApiExtension(CALLER_REFUSES, codes));
}

/** `{ jobId }`: work that goes on; `GET /admin/jobs/<id>` tells how far it is. */
export const jobStarted = z.object({ jobId: z.string() });
