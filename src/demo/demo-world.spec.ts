import type { HttpAdapterHost } from '@nestjs/core';
import type { EventIntake } from '../behaviour/events/event-intake';
import type { Settings } from '../config/settings';
import type { Clock } from '../shared/clock';
import { DemoWorld } from './demo-world';

/** A world whose service answers so, one after the other. */
function worldThatAnswers(answers: { statusCode: number; body: object }[]): DemoWorld {
  const inject = async (): Promise<unknown> => {
    const { statusCode, body } = answers.shift() ?? { statusCode: 500, body: {} };
    return { statusCode, json: () => body };
  };
  const http = { httpAdapter: { getInstance: () => ({ inject }) } } as unknown as HttpAdapterHost;
  return new DemoWorld({} as Settings, {} as Clock, http, {} as EventIntake);
}

const busy = { statusCode: 503, body: { error: 'unavailable' } };

describe('what a start shows of the demo shop', () => {
  test('is asked again of a machine that is busy for now', async () => {
    const found = { statusCode: 200, body: { products: [{ id: 'd1' }, { id: 'd2' }] } };
    expect(await worldThatAnswers([busy, busy, found]).justBelow('ana', 'tenis')).toBe('d2');
    const shown = { statusCode: 200, body: { data: [{ data: [{ link: '/click/1' }] }] } };
    expect(await worldThatAnswers([busy, shown]).clickLink('ana')).toBe('/click/1');
  });

  test('is left out where the service ends meanwhile', async () => {
    const ending = AbortSignal.abort(new Error('ending'));
    await expect(worldThatAnswers([busy, busy]).justBelow('ana', 'tenis', ending)).rejects.toThrow('aborted');
  });
});
