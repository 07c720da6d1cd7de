import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Secrets } from '../../config/secrets';
import { Nonces } from '../../shared/nonces';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';

/** What a link is for: a click on a card, a view of a card, a view of a whole widget. */
const KINDS = ['click', 'product', 'widget'] as const;

/** What a hash carries, beside its store. */
export interface Link {
  kind: (typeof KINDS)[number];
  /** Epoch milliseconds. */
  issuedAt: number;
  /** Empty for a widget. */
  campaign: string;
  /** Empty for a widget. */
  product: string;
  placement: string;
  position: number;
  /** The request it was handed out to. */
  request: string;
  user: string | null;
  device: string | null;
  /** The sales channel that was shown. */
  channel: string;
}

type ReadLink =
  | { authentic: true; store: Store; link: Link; /** Names this one link, without saying anything of it. */ id: string }
  /** `store`: whose link it was before it was changed, as far as that can be told. */
  | { authentic: false; store: Store | null };

interface Key {
  id: Buffer;
  secret: string;
  /** Store -> what stands for it in links. */
  tags: Map<string, string>;
  /** What stands for a store in links -> the store. */
  stores: Map<string, string>;
}

const VERSION = 1;
/** Version, key id, store tag and day. They are authenticated but not encrypted: they say which key opens the rest. */
const HEAD = 11;
const NONCE = 12;
const TAG = 16;
const DAY = 86_400_000;
const KEYS_KEPT = 4096;
/** What a link carries, in the order of its text. */
const FIELDS = [
  'issuedAt',
  'campaign',
  'product',
  'placement',
  'position',
  'request',
  'user',
  'device',
  'channel',
] as const satisfies (keyof Link)[];

/**
 * Links of a showcase: AES-256-GCM, each store and day with a key of its own, so that random nonces never run out. There is
 * one text for each link: any other encoding of the same bytes is refused.
 */
@Injectable()
export class LinkTokens {
  private readonly keys: Key[];
  private readonly nonces = new Nonces(NONCE);
  private readonly derived = new LRUCache<string, Buffer>({ max: KEYS_KEPT });

  constructor(
    secrets: Secrets,
    private readonly stores: StoresService,
  ) {
    this.keys = secrets.linkSecret.map((secret) => ({
      id: Buffer.from(hkdfSync('sha256', secret, '', 'vitrine link key id', 2)),
      secret,
      tags: new Map(),
      stores: new Map(),
    }));
  }

  sign(store: string, link: Link): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is a link secret at all times');
    const day = Math.floor(link.issuedAt / DAY);
    const head = Buffer.alloc(HEAD);
    head.writeUInt8(VERSION, 0);
    key.id.copy(head, 1);
    head.write(tagOf(key, store), 3, 'latin1');
    head.writeUInt16BE(day, 9);
    const nonce = this.nonces.next();
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(key, store, day), nonce).setAAD(head);
    const sealed = [head, nonce, cipher.update(pack(link), 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  read(hash: string): ReadLink {
    const bytes = Buffer.from(hash, 'base64url');
    const canonical = bytes.toString('base64url') === hash && bytes.length > HEAD + NONCE + TAG;
    if (!canonical || bytes[0] !== VERSION) return { authentic: false, store: null };
    const keys = this.keys.filter(({ id }) => id.equals(bytes.subarray(1, 3)));
    let known: Store | null = null;
    for (const key of keys) {
      const store = this.storeOf(key, bytes.toString('latin1', 3, 9));
      if (!store) continue;
      known = store;
      const link = this.open(key, store.id, bytes);
      if (link) return { authentic: true, store, link, id: bytes.toString('base64url', HEAD, HEAD + NONCE) };
    }
    return { authentic: false, store: known };
  }

  private open(key: Key, store: string, bytes: Buffer): Link | null {
    const nonce = bytes.subarray(HEAD, HEAD + NONCE);
    const secret = this.keyOf(key, store, bytes.readUInt16BE(9));
    const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG })
      .setAAD(bytes.subarray(0, HEAD))
      .setAuthTag(bytes.subarray(-TAG));
    try {
      const text = decipher.update(bytes.subarray(HEAD + NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
      return unpack(text);
    } catch {
      return null;
    }
  }

  private keyOf({ id, secret }: Key, store: string, day: number): Buffer {
    const name = `${id.toString('hex')} ${store} ${day}`;
    const known = this.derived.get(name);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, store, `vitrine links of day ${day}`, 32));
    this.derived.set(name, key);
    return key;
  }

  private storeOf(key: Key, tag: string): Store | undefined {
    const known = key.stores.get(tag);
    if (known !== undefined) return this.stores.byId(known);
    return this.stores.all().find(({ id }) => !key.tags.has(id) && tagOf(key, id) === tag);
  }
}

function tagOf(key: Key, store: string): string {
  const known = key.tags.get(store);
  if (known !== undefined) return known;
  const tag = createHmac('sha256', key.secret).update(`vitrine store tag\n${store}`).digest().toString('latin1', 0, 6);
  key.tags.set(store, tag);
  key.stores.set(tag, store);
  return tag;
}

function pack({ kind, ...link }: Link): string {
  return JSON.stringify([KINDS.indexOf(kind), ...FIELDS.map((field) => link[field])]);
}

/** Authentic text was written here, so it has this shape. */
function unpack(text: string): Link {
  const [kind, ...values] = JSON.parse(text) as [number, ...unknown[]];
  const fields = Object.fromEntries(FIELDS.map((field, index) => [field, values[index]]));
  return { ...(fields as unknown as Omit<Link, 'kind'>), kind: KINDS[kind] ?? 'widget' };
}
