import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from '../../../src/cli/program';
import { CliContext } from '../../../src/cli/context';
import { SystemClock } from '../../../src/shared/clock';
import { whyReasons } from '../../../src/search/why/why-reply';
import { boostTemplateSchema } from '../../../src/ranking/template/template';
import { aShop } from '../../builders/a-shop';
import { embeddedMode } from '../../support/modes';
import { type Json, must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const page = readFileSync(join(__dirname, '../../../docs/templates.md'), 'utf8');

/** `<!-- example: put name -->` and the JSON behind it. */
const examples = [...page.matchAll(/<!-- example: put (\w+) -->\s+```json\n([\s\S]*?)```/g)].map(
  ([, name = '', text = '']): [string, Json] => [name, JSON.parse(text) as Json],
);

describe('the page about boost templates', () => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(embeddedMode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  test('has examples', () => {
    expect(examples.map(([name]) => name)).toEqual(['quiet', 'season']);
  });

  test.each(examples)('shows a template that is accepted, and serves: %s', async (name, body) => {
    const path = `/templates/${name}`;
    expect(must(await loja.admin({ method: 'PUT', path, body }), 200)).toMatchObject({ name, version: 1 });
    must(await loja.admin({ method: 'POST', path: `${path}/activate`, body: {} }), 200);
    const templateOf = async (query: Json): Promise<unknown> =>
      ((await loja.search(query as never)).personalization as Json)['template'];
    expect(await templateOf({ terms: 'tênis' })).toBe(name);
    if (name !== 'season') return;
    const filter = 'category:moda/calçados';
    expect(await templateOf({ terms: 'Presente de natal' })).toBe('season/gifts');
    expect(await templateOf({ terms: 'tênis', filter, source: 'app' })).toBe('season/app-shoes');
    expect(await templateOf({ terms: 'tênis', filter })).toBe('season/shoes');
  });

  test('shows a tuning that is accepted', async () => {
    const [, text = ''] = /<!-- example: tune -->\s+```json\n([\s\S]*?)```/.exec(page) ?? [];
    const body = { ...(JSON.parse(text) as Json), budget: 20 };
    const { jobId } = must(await loja.admin({ method: 'POST', path: '/templates/tune', body }), 202);
    expect((await loja.completed(String(jobId)))['result']).toMatchObject({ verdict: 'too_few_searches' });
  });

  test('names every part of a template and every reason', () => {
    for (const part of Object.keys(boostTemplateSchema.shape)) expect(page).toContain(`\`${part}`);
    for (const reason of whyReasons) expect(page).toContain(`| \`${reason}\``);
  });

  test('shows commands that are there', () => {
    const program = makeProgram(new CliContext({}, new SystemClock(), () => undefined));
    const commands = [...page.matchAll(/^vitrine (.+?)(?: {2,}.*)?$/gm)].map(([, text = '']) => text.split(' '));
    expect(commands.length).toBeGreaterThan(7);
    for (const [noun, verb] of commands) {
      const found = program.commands.find((command) => command.name() === noun);
      expect([noun, found?.name()]).toEqual([noun, noun]);
      if (noun === 'template') expect(found?.commands.map((command) => command.name())).toContain(verb);
    }
  });
});
