import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import type { ErrorCode } from '../../shared/error-catalogue';

/** Extensions that hold error codes until document-errors.ts writes them as answers. */
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

/** Errors of the route itself. document-errors.ts adds those of its guard and those that any body, address or storage may cause. */
export function Refuses(...codes: ErrorCode[]): MethodDecorator {
  return ApiExtension(ROUTE_REFUSES, codes) as MethodDecorator;
}

/** Errors of a guard, on every route it stands before. */
export function CallerRefuses(...codes: ErrorCode[]): ClassDecorator & MethodDecorator {
  return applyDecorators(ApiExtension(CALLER_REFUSES, codes));
}

/** The reply of a route that starts a job; `GET /admin/jobs/<id>` tells its progress. */
export const jobStarted = z.object({ jobId: z.string() });
