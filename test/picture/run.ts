import { statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium, USER_AGENT } from '../browser/chromium';
import { Storefront } from '../browser/storefront';

// `npm run picture`: the picture that README.md opens with, of the demo storefront as a browser shows it.
const PICTURE = join(__dirname, '../../docs/images/two-shoppers.png');
const MOST_BYTES = 200_000;
const SIZE = { width: 1120, height: 660 };

async function main(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: install one, or name it in CHROMIUM');
  const shop = await Storefront.open();
  const browser = await chromium.launch({ executablePath, args: ['--disable-dev-shm-usage'] });
  try {
    const page = await shop.visit((options) => browser.newContext({ userAgent: USER_AGENT, ...options }), '/compare', {
      viewport: SIZE,
    });
    await page.locator('.two .side + .side .score-bar').first().waitFor();
    const away = page.getByRole('button', { name: 'Fold away' });
    if (await away.isVisible()) await away.click();
    await page.evaluate(`Promise.all([...document.images].map((image) => image.decode().catch(() => {})))`);
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
    await shop.close();
  }
  const { size } = statSync(PICTURE);
  if (size > MOST_BYTES) throw new Error(`${PICTURE} has ${size} bytes: ${MOST_BYTES} are the most`);
  process.stdout.write(`${PICTURE}: ${size} bytes\n`);
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
