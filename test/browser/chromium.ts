import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** The first is Debian's without windows, which takes two thirds of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium: that of `CHROMIUM`, or the first on the PATH. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return process.env['CHROMIUM'] ?? paths.find((path) => existsSync(path));
}

/** Headless Chromium names itself so, and the service takes it for a crawler. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** Makes a shopper: a browser with storage of its own. */
export type NewShopper = (options?: BrowserContextOptions) => Promise<BrowserContext>;

/**
 * Tests in a real Chromium, to which every name that ends in `.example` is this machine. Where there is none, one skipped test says so; with
 * CI=true it fails.
 */
export function describeInChromium(title: string, body: (shopper: NewShopper) => void): void {
  const executablePath = findChromium();
  describe(title, () => {
    if (executablePath === undefined) return missing();
    // A browser that starts on a busy machine.
    jest.setTimeout(120_000);
    let browser: Browser;
    const shoppers: BrowserContext[] = [];
    beforeAll(async () => {
      const args = ['--host-resolver-rules=MAP *.example 127.0.0.1', '--disable-dev-shm-usage'];
      browser = await chromium.launch({ executablePath, args, timeout: 90_000 });
    });
    afterEach(async () => {
      await Promise.all(shoppers.splice(0).map((context) => context.close()));
    });
    afterAll(() => browser?.close());
    body(async (options) => {
      const context = await browser.newContext({ userAgent: USER_AGENT, ...options });
      context.setDefaultTimeout(60_000);
      shoppers.push(context);
      return context;
    });
  });
}

function missing(): void {
  const reason = `there is no Chromium: install one (apt-get install chromium-headless-shell, or chromium), or name it in CHROMIUM`;
  if (process.env['CI'] === 'true') {
    it(reason, () => {
      throw new Error(reason);
    });
  } else {
    // oxlint-disable-next-line jest/no-disabled-tests -- its title says what is missing
    it.skip(reason, () => {});
  }
}
