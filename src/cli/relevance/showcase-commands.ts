import type { Command } from 'commander';
import { add, addForStore, type CliContext, readJson, type StoreOption, storePath } from '../context';
import { addMetricsCommand } from './metrics-commands';

const campaignPath = (apiKey: string, id: string): string => storePath(apiKey, `/campaigns/${encodeURIComponent(id)}`);

export function addShowcaseCommands(program: Command, context: CliContext): void {
  const campaign = add(program, 'campaign', 'sponsored products, and what may be spent on them');
  addForStore(campaign, 'list', 'every campaign, and what it has spent').action(({ store }: StoreOption) =>
    context.show('GET', storePath(store, '/campaigns')),
  );
  addForStore(campaign, 'show <id>', 'one campaign').action((id: string, { store }: StoreOption) =>
    context.show('GET', campaignPath(store, id)),
  );
  addForStore(campaign, 'put <id> <file>', 'make or replace a campaign from a JSON file; - is standard input').action(
    (id: string, file: string, { store }: StoreOption) =>
      context.show('PUT', campaignPath(store, id), { body: readJson(file) }),
  );
  for (const [name, status] of Object.entries({ pause: 'paused', resume: 'active' })) {
    addForStore(campaign, `${name} <id>`, `${name} a campaign, on every replica within a second`).action(
      async (id: string, { store }: StoreOption) => {
        const path = campaignPath(store, id);
        const known = (await context.client().call('GET', path)) as object;
        await context.show('PUT', path, { body: { ...known, status } });
      },
    );
  }
  addForStore(campaign, 'delete <id>', 'take a campaign away; its clicks stay counted').action(
    (id: string, { store }: StoreOption) => context.show('DELETE', campaignPath(store, id)),
  );
  const showcase = add(program, 'showcase', 'what advertisers pay by');
  const billed = 'views, clicks, conversions, revenue and spend by campaign, product, placement and day';
  addMetricsCommand(showcase, context, billed);
  addForStore(showcase, 'check', 'add the ledger up entry by entry, and compare').action(({ store }: StoreOption) =>
    context.show('POST', storePath(store, '/metrics/showcase/check')),
  );
}
