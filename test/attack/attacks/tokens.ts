import { type Attack, none } from '../attack';

const WAITS = 400;

/** A token that was made for a store that is gone, tried on the one that has its apiKey now. */
export const tokens: Attack = {
  name: 'tokens',
  title: "a deleted store's admin token, on the store that took its apiKey",
  shop: 'small',
  short: true,
  async begin(ground) {
    const apiKey = 'tokens';
    await ground.newStore(apiKey);
    const token = await ground.token('ops', apiKey);
    const old = ground.from('127.0.0.1');
    const path = `/admin/stores/${apiKey}`;
    const works = await old({ path, headers: { authorization: `Bearer ${token}` } });
    if (works.status !== 200) throw new Error(`The token does not open its own store: ${works.text}`);
    const { json } = await ground.admin({ method: 'DELETE', path });
    for (let waited = 0; waited < WAITS; waited += 1) {
      const { json: job } = await ground.admin({ path: `/admin/jobs/${String(json['jobId'])}` });
      if (job['state'] === 'completed') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await ground.newStore(apiKey);
    const opened: string[] = [];
    return {
      strike: async () => {
        const headers = { authorization: `Bearer ${token}` };
        const tries = [
          { path },
          { path: '/admin/stores' },
          { path: '/admin/jobs' },
          { method: 'POST', path: `${path}/secrets`, body: {} },
          { method: 'PATCH', path, body: { name: 'taken' } },
        ];
        for (const one of tries) {
          const { status, text } = await old({ ...one, headers });
          // Lists may be empty, or still tell of the job that erased its own store.
          const list = !one.path.startsWith(path);
          if (status < 400 && (!list || text.includes(`"${apiKey}"`)))
            opened.push(`${one.method ?? 'GET'} ${one.path}`);
        }
      },
      judge: async () => [none(`what it opens${opened.length > 0 ? ` (${opened.join(', ')})` : ''}`, opened, 5)],
    };
  },
};
