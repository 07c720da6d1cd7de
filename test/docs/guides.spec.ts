import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../src/storage/threads';
import { describeInChromium } from '../browser/chromium';
import { until } from '../browser/shop';
import { embeddedMode } from '../support/modes';
import { freePort, ServiceProcess } from '../support/service-process';
import { type Block, blocksOf, Reader } from './guide';

const SHOP = blocksOf('add-to-your-shop.md');
/** Milliseconds: a dozen processes, on a busy machine. */
const SLOW = 240_000;

/** The file that the first line of a block names. */
const fileOf = ({ text }: Block): string => /^(?:<!--|\/\/) ([\w/.-]+)/.exec(text)?.[1] ?? '';

function blockOf(section: number, kind: string, index = 0): Block {
  const block = SHOP.filter((one) => one.section === section && one.kind === kind)[index];
  if (!block) throw new Error(`Section ${section} has no block ${index} of ${kind}`);
  return block;
}

describe('guides', () => {
  const place = embeddedMode.place();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-guide-'));
  let service: ServiceProcess;
  let reader: Reader;
  let shopPort: number;
  const printed: string[] = [];

  beforeAll(async () => {
    service = await ServiceProcess.start(place.env);
    shopPort = await freePort();
    const env = { ...place.env, PORT: String(service.port) };
    reader = new Reader(folder, env, { 3000: service.port, 8080: shopPort });
    for (const section of [2, 3, 7]) printed.push(await reader.type(blockOf(section, 'sh')));
  }, SLOW);
  afterAll(async () => {
    await service.stop();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test(
    'docs/add-to-your-shop.md: a store, its catalog, a campaign; and the same from a backend',
    async () => {
      expect(SHOP.map(({ section, kind }) => `${section} ${kind}`)).toEqual([
        '1 sh',
        '2 sh',
        '3 sh',
        '4 html',
        '5 html',
        '5 sh',
        '6 ts',
        '7 sh',
        '7 html',
        '8 sh',
        '8 sh',
      ]);
      expect(blockOf(1, 'sh').text).toBe('npm start\n');
      expect(JSON.parse(printed[1] ?? '')).toMatchObject({ accepted: 4, rejected: [] });
      expect(JSON.parse(printed[2] ?? '')).toMatchObject({ id: 'spring', status: 'active' });
      const script = join(folder, 'search.mjs');
      buildSync({
        stdin: { contents: reader.here(blockOf(6, 'ts').text), loader: 'ts', resolveDir: projectRoot },
        alias: { 'vitrine-client': join(projectRoot, 'web', 'client', 'src', 'index.ts') },
        bundle: true,
        format: 'esm',
        platform: 'node',
        outfile: script,
      });
      const env = { PATH: process.env['PATH'] ?? '', SECRET: await reader.value('SECRET') };
      const names = String(execFileSync(process.execPath, [script], { env }))
        .trim()
        .split('\n');
      expect(names.slice(0, 3).toSorted()).toEqual([
        'Light running shoes',
        'Road running shoes',
        'Trail running shoes',
      ]);
    },
    SLOW,
  );

  describeInChromium('docs/add-to-your-shop.md in a browser', (newShopper) => {
    let server: ChildProcess;
    beforeAll(() => {
      mkdirSync(join(folder, 'my-shop'), { recursive: true });
      for (const block of [blockOf(4, 'html'), blockOf(5, 'html')]) {
        writeFileSync(join(folder, fileOf(block)), reader.here(block.text));
      }
      const [, ...words] = reader.here(blockOf(5, 'sh').text).trim().split(' ');
      const program = join(projectRoot, 'node_modules', '.bin', words[0] ?? '');
      server = spawn(program, words.slice(1), { cwd: folder, stdio: 'ignore' });
    });
    afterAll(() => void server?.kill());

    const found = async (page: Page): Promise<string[]> => {
      await page.goto(`http://my-shop.localhost:${shopPort}/?q=running`);
      await page.locator('#results li').first().waitFor();
      return page.locator('#results a').allTextContents();
    };

    test(
      'a click and an order change the next search, a sponsored click is billed, and the console shows all of it',
      async () => {
        await until(
          async () => (await fetch(`http://127.0.0.1:${shopPort}/`).catch(() => null))?.ok,
          (isUp) => isUp === true,
        );
        const page = await (await newShopper({ locale: 'en-US' })).newPage();
        const before = await found(page);
        expect(before.length).toBe(4);
        const last = before.at(-1) ?? '';
        await page.locator('#results a').last().click();
        await page.locator('h1', { hasText: last.split(',')[0] ?? '-' }).waitFor();
        await page.getByRole('button', { name: 'Buy now' }).click();
        await page.getByText('Thank you!').waitFor();
        const after = await until(
          () => found(page),
          (names) => names.indexOf(last) < before.indexOf(last),
        );
        expect(after.indexOf(last)).toBeLessThan(before.indexOf(last));

        const more = blockOf(7, 'html');
        appendFileSync(join(folder, fileOf(more)), reader.here(more.text));
        await found(page);
        await page.locator('#sponsored a', { hasText: 'Running jacket' }).click();
        await page.locator('h1', { hasText: 'Running jacket' }).waitFor();
        const numbers = async (): Promise<unknown[]> => {
          const lines = (await reader.type(blockOf(8, 'sh', 1))).trim().replace(/\}\s*\{/, '}\n\u0000{');
          return lines.split('\u0000').map((text) => JSON.parse(text) as unknown);
        };
        // The jacket, too, was found by the search that the shopper comes from.
        const [searches, showcase] = await until(
          numbers,
          ([searched, shown]) =>
            JSON.stringify(searched).includes('"clicks":2') && JSON.stringify(shown).includes('"clicks":1'),
        );
        expect(searches).toMatchObject({ orders: 1, topTerms: [{ query: 'running', clicks: 2, orders: 1 }] });
        expect(showcase).toMatchObject({ rows: [{ campaign: 'spring', product: '4', clicks: 1, spend: 0.35 }] });

        const link = (await reader.type(blockOf(8, 'sh'))).trim();
        await page.goto(link);
        await page.getByRole('link', { name: 'Insight' }).click();
        await page.getByRole('cell', { name: 'running', exact: true }).first().waitFor();
        await page.getByText('Spring').first().waitFor();
      },
      SLOW,
    );
  });

  /** Pages, and what the last command of each section that has an answer says. */
  test.each([
    ['for-storefront-developers.md', ['"products":', '204', '"weights":', 'my-shop.localhost']],
    ['for-relevance-engineers.md', ['query', '"rank": ', '"name": "bolder"', 'sneakers']],
    ['for-operations.md', ['"status"', '"schedules"', '"entries"', '/console/#', '', '"state": "completed"', '']],
    ['for-advertisers.md', ['"spent"', 'campaign', '"consistent": true', '"status": "active"']],
  ])(
    'docs/%s: every command does what it says',
    async (page, answers) => {
      const blocks = blocksOf(page);
      expect(blocks.map(({ kind }) => kind)).toEqual(answers.map(() => 'sh'));
      for (const [index, answer] of answers.entries()) {
        expect([blocks[index]?.text, await reader.type(blocks[index]!)]).toEqual([
          blocks[index]?.text,
          expect.stringContaining(answer),
        ]);
      }
    },
    SLOW,
  );
});
