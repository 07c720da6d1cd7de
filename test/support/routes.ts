import { subscribe } from 'node:diagnostics_channel';
import { RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { OPEN_ROUTE } from '../../src/http/openapi/open-route';
import { InspectionAccessGuard } from '../../src/inspection/inspection-access.guard';
import { ADMIN_RULE, AdminAccessGuard, type AdminRule } from '../../src/stores/access/admin-access.guard';
import { STORE_INTERFACE, StoreAccessGuard, type StoreInterface } from '../../src/stores/access/store-access';

/** Who may call a route, as it declares it. */
export type Access =
  | { by: 'store'; interface: StoreInterface }
  | { by: 'admin'; rule: AdminRule }
  | { by: 'inspection token' }
  | { by: 'anybody'; reason: string }
  | { by: 'undeclared' };

export interface Route {
  /** `PUT /v7/products/:productId` */
  name: string;
  method: string;
  url: string;
  access: Access;
}

interface Registered {
  method: string;
  url: string;
  config: Readonly<Record<string, unknown>>;
}

const registered = new WeakMap<FastifyInstance, Registered[]>();

// Fastify announces each instance before it has any route: nothing registered later is missed, whoever does it.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  const routes: Registered[] = [];
  registered.set(fastify, routes);
  fastify.addHook('onRoute', ({ method, url, config = {} }) => {
    // `HEAD` comes with every `GET`.
    const methods = [method].flat().filter((one) => one !== 'HEAD');
    for (const one of methods) routes.push({ method: one, url, config: config as Registered['config'] });
  });
});

/** Every route that answers, whoever registered it, with what it declares. */
export function routesOf(app: NestFastifyApplication): Route[] {
  const declared = new Map(controllerRoutes(app).map((route) => [route.name, route]));
  const routes = registered.get(app.getHttpAdapter().getInstance() as unknown as FastifyInstance) ?? [];
  return routes.map(({ method, url, config }) => {
    const name = `${method} ${url}`;
    const own = declared.get(name);
    if (own) return own;
    const reason = config[OPEN_ROUTE];
    const access: Access = typeof reason === 'string' ? { by: 'anybody', reason } : { by: 'undeclared' };
    return { name, method, url, access };
  });
}

function controllerRoutes(app: NestFastifyApplication): Route[] {
  const modules = [...app.get(ModulesContainer, { strict: false }).values()];
  const controllers = modules.flatMap(({ controllers: own }) =>
    [...own.values()].map(({ metatype }) => metatype as Type),
  );
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, unknown>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      return typeof handler === 'function' ? handlerRoutes(controller, handler) : [];
    });
  });
}

function handlerRoutes(controller: Type, handler: object): Route[] {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const name = RequestMethod[method] ?? 'ALL';
  const paths = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat();
  return paths(controller).flatMap((prefix) =>
    paths(handler).map((path) => {
      const url = `/${[prefix, path]
        .flatMap((part) => part.split('/'))
        .filter(Boolean)
        .join('/')}`;
      return { name: `${name} ${url}`, method: name, url, access: accessOf(controller, handler) };
    }),
  );
}

/** By the guards that run, not only by what is written beside them. */
function accessOf(controller: Type, handler: object): Access {
  const own = <T>(key: string): T | undefined =>
    (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
  const guards = [controller, handler].flatMap((on) => (Reflect.getMetadata(GUARDS_METADATA, on) ?? []) as unknown[]);
  const store = own<StoreInterface>(STORE_INTERFACE);
  const rule = own<AdminRule>(ADMIN_RULE);
  const reason = own<string>(OPEN_ROUTE);
  if (store && guards.includes(StoreAccessGuard)) return { by: 'store', interface: store };
  if (rule && guards.includes(AdminAccessGuard)) return { by: 'admin', rule };
  if (guards.includes(InspectionAccessGuard)) return { by: 'inspection token' };
  return reason === undefined ? { by: 'undeclared' } : { by: 'anybody', reason };
}
