import { describeModes } from '../support/modes';
import { AppGround } from './app-ground';
import type { Attack } from './attack';
import { attacks } from './attacks';

/** Stored for a byte sent, at most: `npm run attack` sends more, and holds it to less. */
const MOST_STORED = 8;
const LEAST_SENT = 100_000;
const LONG = 120_000;

async function withstands(ground: AppGround, attack: Attack): Promise<void> {
  const assault = await attack.begin(ground);
  const [sent, stored] = [ground.spent.sent, await ground.stored()];
  await assault.strike();
  const findings = await assault.judge();
  const missed = findings
    .filter(({ met }) => !met)
    .map(({ what, measured, target }) => `${what}: ${measured}, not ${target}`);
  expect(missed).toEqual([]);
  const bytes = ground.spent.sent - sent;
  if (attack.stores && bytes > LEAST_SENT) expect(((await ground.stored()) - stored) / bytes).toBeLessThan(MOST_STORED);
}

describeModes((mode) => {
  const short = attacks.filter((attack) => attack.short);
  let ground: AppGround;
  beforeAll(async () => {
    ground = await AppGround.open(mode);
  }, LONG);
  afterAll(() => ground.close());

  for (const attack of short.filter(({ failing }) => !failing)) {
    test(`withstands ${attack.title}`, () => withstands(ground, attack), LONG);
  }
});

describeModes((mode) => {
  for (const attack of attacks.filter(({ failing }) => failing)) {
    test(
      `withstands ${attack.title}`,
      async () => {
        const ground = await AppGround.open(mode, { failing: true });
        try {
          await withstands(ground, attack);
        } finally {
          await ground.close();
        }
      },
      LONG,
    );
  }
});
