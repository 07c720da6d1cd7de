import { type CanActivate, Controller, Get, Module, UseGuards } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { OpenRoute, openRoute } from '../../../src/http/openapi/open-route';
import { StoreAccess } from '../../../src/stores/access/store-access';
import { embeddedMode } from '../../support/modes';
import { routesOf } from '../../support/routes';
import { knownRoutes } from '../../support/valid-requests';
import { startWholeApp } from '../../support/whole-app';
import { startTestApp } from '../http/support';

class EverybodyGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Module({})
class PlainModule {
  constructor(host: HttpAdapterHost) {
    const fastify = host.httpAdapter.getInstance<FastifyInstance>();
    fastify.get('/plain/forgotten', () => ({}));
    fastify.get('/plain/open', openRoute('a test'), () => ({}));
  }
}

/** The routes are the same in every mode. */
describe('routes', () => {
  test('each declares who may call it, and is known to the tests of access', async () => {
    const service = await startWholeApp(embeddedMode);
    try {
      const routes = routesOf(service.app);
      const names = (by: string): string[] => routes.filter(({ access }) => access.by === by).map(({ name }) => name);
      expect(names('undeclared')).toEqual([]);
      expect(names('anybody').map((name) => name.split('/')[1])).toEqual(
        expect.arrayContaining(['docs', 'health', 'metrics', 'openapi.json']),
      );
      const guarded = routes.filter(({ access }) => access.by !== 'anybody').map(({ name }) => name);
      expect(guarded.length).toBeGreaterThan(30);
      expect(guarded.toSorted()).toEqual(knownRoutes.toSorted());
    } finally {
      await service.close();
    }
  });

  test('one without a guard is found, also where it is no controller’s or its guards let everybody in', async () => {
    @Controller('probe')
    class ProbeController {
      @Get('forgotten')
      forgotten(): object {
        return {};
      }

      @Get('guarded-by-nobody')
      @UseGuards(EverybodyGuard)
      guardedByNobody(): object {
        return {};
      }

      @Get(['open', 'open-too'])
      @OpenRoute('a test')
      open(): object {
        return {};
      }

      @Get('kept')
      @StoreAccess('search')
      kept(): object {
        return {};
      }
    }
    const service = await startTestApp(embeddedMode, {
      controllers: [ProbeController],
      imports: [PlainModule],
    });
    try {
      const undeclared = routesOf(service.app).filter(({ access }) => access.by === 'undeclared');
      expect(undeclared.map(({ name }) => name).toSorted()).toEqual([
        'GET /plain/forgotten',
        'GET /probe/forgotten',
        'GET /probe/guarded-by-nobody',
      ]);
    } finally {
      await service.close();
    }
  });
});
