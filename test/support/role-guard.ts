import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A role as Elasticsearch takes it. */
export interface Role {
  cluster: string[];
  indices: { names: string[]; privileges: string[] }[];
}

/** A right of the cluster, or one on each of these indices (names or patterns). */
type Right = { cluster: string } | { privilege: string; indices: string[] };

const METADATA = /^(_alias|_mapping|_settings|_refresh|_flush|_forcemerge|_open|_close|_stats|_block)$/;
const READING = /^(_search|_msearch|_mget|_count|_source|_terms_enum|_pit|_field_caps)$/;
const WRITING = /^(_bulk|_create|_update|_delete_by_query|_update_by_query)$/;

/**
 * Stands before a server that knows no users, and lets through what a role gives the right to, by the privileges that Elasticsearch's manual
 * names for each API. A request that this table lacks is refused, too.
 */
export class RoleGuard {
  /** What was refused, as `PUT /x: manage on x`. */
  readonly refused: string[] = [];
  /** Rights that some request needed. */
  readonly used = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly target: string,
    private readonly role: Role,
  ) {}

  static async start(target: string, role: Role): Promise<RoleGuard> {
    const server = createServer();
    const guard = new RoleGuard(server, target, role);
    server.on('request', (asked, reply) => void guard.answer(asked, reply));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return guard;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = asked;
    const body = await buffer(asked);
    const lacking = rightsFor(method, url.split('?')[0] ?? '/', body.toString()).filter((right) => !this.has(right));
    if (lacking.length > 0) {
      this.refused.push(`${method} ${url}: ${lacking.map(nameOf).join(', ')}`);
      const error = { type: 'security_exception', reason: 'unauthorized' };
      reply.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error, status: 403 }));
      return;
    }
    const passed = request(new URL(url, this.target), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.destroy());
    passed.end(body);
  }

  private has(right: Right): boolean {
    if ('cluster' in right) {
      if (!this.role.cluster.includes(right.cluster)) return false;
      this.used.add(right.cluster);
      return true;
    }
    return right.indices.every((index) => {
      const rule = this.role.indices.find(
        ({ names, privileges }) => privileges.includes(right.privilege) && names.some((name) => covers(name, index)),
      );
      if (rule) this.used.add(right.privilege);
      return rule !== undefined;
    });
  }
}

const covers = (pattern: string, index: string): boolean =>
  pattern.endsWith('*') ? index.startsWith(pattern.slice(0, -1)) : pattern === index;

const nameOf = (right: Right): string =>
  'cluster' in right ? right.cluster : `${right.privilege} on ${right.indices.join(' ')}`;

function rightsFor(method: string, path: string, body: string): Right[] {
  const [first = '', second] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (first === '' || /^(_cluster|_nodes)$/.test(first))
    return method === 'PUT' ? [unknown(path)] : [{ cluster: 'monitor' }];
  if (first === '_index_template') return [{ cluster: 'manage_index_templates' }];
  // Whoever began a scroll, or opened a point in time, may go on with it, and close it.
  if ((first === '_search' && second === 'scroll') || first === '_pit') return [];
  if (first === '_aliases') return [{ privilege: 'manage', indices: indicesNamed(body) }];
  if (/^_(bulk|mget|msearch|search)$/.test(first)) {
    const privilege = first === '_bulk' ? 'write' : 'read';
    return [{ privilege, indices: indicesNamed(body) }];
  }
  if (first.startsWith('_')) return [unknown(path)];
  return [
    {
      privilege: privilegeFor(method, second, path),
      indices: first.split(',').filter((name) => !name.startsWith('-')),
    },
  ];
}

const unknown = (path: string): Right => ({ cluster: `what ${path} needs, which the guard does not know` });

function privilegeFor(method: string, api: string | undefined, path: string): string {
  if (api === undefined || METADATA.test(api)) return 'manage';
  if (READING.test(api) || (api === '_doc' && (method === 'GET' || method === 'HEAD'))) return 'read';
  if (WRITING.test(api) || api === '_doc') return 'write';
  return `what ${path} needs`;
}

/** Of a body in JSON or NDJSON: names under `_index`, `index` and `indices`, wherever they stand outside documents. */
function indicesNamed(body: string): string[] {
  const names = [...body.matchAll(/"(?:_index|index|indices)":(?:"([^"]+)"|\[([^\]]*)\])/g)];
  const found = names.flatMap(([, one, list]) =>
    one === undefined ? (list ?? '').split(',').map((text) => text.replaceAll('"', '')) : [one],
  );
  if (found.length === 0) throw new Error(`No index is named: ${body.slice(0, 200)}`);
  return [...new Set(found)];
}
