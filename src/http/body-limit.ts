import type { CustomDecorator } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Bytes, unless a route sets its own limit. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;
/** A thousand products. */
export const PRODUCTS_BODY_LIMIT = 16 * 1024 * 1024;
export const EVENT_BODY_LIMIT = 64 * 1024;

/** Bytes of a body on this route: a longer one is 413. Streamed bodies are not measured. */
export const BodyLimit = (bytes: number): CustomDecorator<string> => RouteConfig({ bodyLimit: bytes });

interface BodyConfig {
  ignoresBody?: boolean;
  streamsBody?: boolean;
}

/** A body of any type is taken and not read: all that counts is in the address. */
export const IgnoresBody = (): CustomDecorator<string> => RouteConfig({ ignoresBody: true } satisfies BodyConfig);

/** A body of any type reaches the route as the raw stream, packed or not: the route finds out what it is. */
export const StreamedBody = (): CustomDecorator<string> => RouteConfig({ streamsBody: true } satisfies BodyConfig);

export const streamsBody = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as BodyConfig).streamsBody === true;

export const ignoresBody = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as BodyConfig).ignoresBody === true;
