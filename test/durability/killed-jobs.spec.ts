import { embeddedMode } from '../support/modes';
import { Dice } from '../support/dice';
import { figuresOf, KilledRounds } from '../support/kills/killed-rounds';
import { ServiceProcess } from '../support/service-process';
import { patient } from '../support/store-client';

/** More of them: `KILLS=30 npm test -- test/durability/killed-jobs`. */
const KILLS = Number(process.env['KILLS'] ?? 3);
const SEED = Number(process.env['SEED'] ?? 17);
const PRODUCTS = 800;
const LONGEST_MS = 120_000 + KILLS * 60_000;

const place = embeddedMode.place();
let service: ServiceProcess;
let outages = 0;

beforeAll(async () => {
  service = await ServiceProcess.start(place.env);
}, LONGEST_MS);
afterAll(async () => {
  await service.kill();
  await place.remove();
});

test(
  'imports and reindexes go on by themselves when their process is killed, once, to the right end, and what serves is never wrong',
  async () => {
    const rounds = await KilledRounds.open(
      {
        // On a busy machine a search may be late: what was not answered is asked again.
        send: () => patient(service.send),
        doom: () => undefined,
        adminToken: () => service.adminToken(),
        kill: async () => {
          outages += 1;
          await service.kill();
        },
        revive: async () => {
          service = await ServiceProcess.start(place.env);
          outages += 1;
        },
        outages: () => outages,
      },
      PRODUCTS,
      new Dice(SEED),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      await rounds.kill();
      if (process.env['KILLS'] !== undefined) process.stderr.write(figuresOf('embedded', rounds));
    }
    expect(rounds.wrong).toEqual([]);
    expect(rounds.figures.answers).toBeGreaterThan(KILLS);
  },
  LONGEST_MS,
);
