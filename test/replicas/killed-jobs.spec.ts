import { Dice } from '../support/dice';
import { figuresOf, KilledRounds, type KilledService } from '../support/kills/killed-rounds';
import { type Place, productionMode } from '../support/modes';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { patient } from '../support/store-client';

/** More of them, of each pair: `KILLS=30 npm test -- test/replicas/killed-jobs`. */
const KILLS = Number(process.env['KILLS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? 17);
const PRODUCTS = 500;
/** A lease of 30 s and a look every 10 s, beside the round itself. */
const LONGEST_MS = 180_000 + KILLS * 180_000;

// The embedded service is one process: test/durability/killed-jobs.spec.ts.
describeOn(['elasticsearch', 'redis'], (urls) => {
  const mode = productionMode(urls);
  const dice = new Dice(SEED);

  describe.each([
    ['a worker beside a web replica', ['web', 'worker']],
    ['one of two replicas that do all', ['all', 'all']],
  ] as const)('%s', (name, roles) => {
    let place: Place;
    let processes: ServiceProcess[];
    let doomed = 1;

    const start = (role: 'web' | 'worker' | 'all'): Promise<ServiceProcess> => {
      const isWorker = role === 'worker';
      return ServiceProcess.start({ ...place.env, ...(isWorker ? {} : { ROLE: role }) }, isWorker ? 'worker' : 'main');
    };
    const living = (): ServiceProcess => processes[1 - doomed] as ServiceProcess;

    beforeAll(async () => {
      place = mode.place();
      processes = await Promise.all(roles.map(start));
    }, LONGEST_MS);
    afterAll(async () => {
      await Promise.all(processes.map((one) => one.kill()));
      await place.remove();
    });

    const service: KilledService = {
      // On a busy machine the storage may be late: what was not accepted is sent again.
      send: () => patient(living().send),
      doom: () => {
        if (roles[1] === 'all') doomed = dice.below(2);
      },
      adminToken: () => living().adminToken(),
      kill: () => (processes[doomed] as ServiceProcess).kill(),
      revive: async () => {
        processes[doomed] = await start(roles[doomed] ?? 'all');
      },
      outages: () => 0,
    };

    it(
      'is killed: imports and reindexes go on by themselves, once, to the right end, and what serves is never wrong',
      async () => {
        const rounds = await KilledRounds.open(service, PRODUCTS, dice);
        for (let kill = 0; kill < KILLS; kill += 1) {
          await rounds.kill();
          if (process.env['KILLS'] !== undefined) process.stderr.write(figuresOf(name, rounds));
        }
        expect(rounds.wrong).toEqual([]);
        expect(rounds.figures.answers).toBeGreaterThan(KILLS);
      },
      LONGEST_MS,
    );
  });
});
