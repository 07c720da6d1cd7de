import { setTimeout as wait } from 'node:timers/promises';
import { ChangeTries, KINDS, type Kind, type Try } from '../support/change-tries';
import { type Place, productionMode } from '../support/modes';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { patient, type Reply, type Send } from '../support/store-client';

/** More of them: `CHANGE_TRIES=100 npm test -- test/replicas/changes`. */
const TRIES = Number(process.env['CHANGE_TRIES'] ?? 3);
const KILLS = Number(process.env['CHANGE_KILLS'] ?? 1);
/** The process is killed at some moment until so many milliseconds after the changes were asked for. */
const KILLED_WITHIN_MS = 700;

const LONGEST_MS = 300_000 + (TRIES + KILLS) * 60_000;

// The embedded service is one process, and sees at once what it was told.
describeOn(['elasticsearch', 'redis'], (urls) => {
  const mode = productionMode(urls);
  const pairs = [
    ['a web replica and a worker', ['web', 'worker']],
    ['two replicas that do all', ['all', 'all']],
  ] as const;

  describe.each(pairs)('%s', (_name, [first, second]) => {
    let place: Place;
    let asked: ServiceProcess;
    let other: ServiceProcess;
    let tries: ChangeTries;

    const start = (role: string): Promise<ServiceProcess> =>
      ServiceProcess.start(
        { ...place.env, ...(role === 'worker' ? {} : { ROLE: role }) },
        role === 'worker' ? 'worker' : 'main',
      );
    const looked = (): Send => patient(second === 'worker' ? asked.send : other.send);

    beforeAll(async () => {
      place = mode.place();
      [asked, other] = await Promise.all([start(first), start(second)]);
      const ways = () => ({ asked: patient(asked.send), looked: looked(), adminToken: asked.adminToken() });
      tries = new ChangeTries(ways, () => place.rows());
    });
    afterAll(async () => {
      await Promise.all([asked, other].map((one) => one.kill()));
      await place.remove();
    });

    const title: Record<Kind, string> = {
      deleted: 'of a store that is deleted nothing is left, whatever comes in meanwhile',
      imported: 'history that is uploaded right after its store was made is imported',
      language: 'a language that was changed is what the index is made anew in',
      sensitive: 'a category that was called sensitive is in no vector any more',
      halfLife: 'a half-life that was changed is what vectors are made anew with',
    };

    it.each(KINDS.map((kind) => [title[kind], kind] as const))(
      '%s',
      async (_title, kind) => {
        const wrong: string[] = [];
        const made = await tries.makeMany(kind, TRIES);
        for (const one of made) wrong.push(await tries.run(one));
        expect(wrong).toEqual(made.map(() => ''));
      },
      LONGEST_MS,
    );

    if (second === 'worker') return;

    it(
      'one that is killed in the middle leaves nothing half done',
      async () => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          const made = await Promise.all(KINDS.map((kind) => tries.make(kind)));
          const answers = made.map(({ store, change: { status, ...call } }: Try) =>
            store
              .through(asked.send)
              .admin(call)
              .then(
                (reply): Reply | null => (reply.status === status ? reply : null),
                () => null,
              ),
          );
          await wait(((kill + 0.5) / KILLS) * KILLED_WITHIN_MS);
          await asked.kill();
          const replies = await Promise.all(answers);
          const wrong: string[] = [];
          for (const [at, one] of made.entries()) wrong.push(await one.wrong(replies[at] ?? null));
          expect(wrong).toEqual(made.map(() => ''));
          asked = await start(first);
        }
      },
      LONGEST_MS,
    );
  });
});
