import type { Events, Fields, Item, WithEvents } from './events';

interface Ecommerce extends Fields {
  items?: Fields[];
}

const CATEGORY_LEVELS = ['item_category', 'item_category2', 'item_category3', 'item_category4', 'item_category5'];

const itemsOf = ({ items }: Ecommerce): Item[] =>
  (items ?? []).flatMap(({ item_id: itemId, id = itemId, price, quantity }) =>
    id === undefined || id === '' ? [] : [{ pid: String(id), price, quantity: Number(quantity ?? 1) }],
  );

/** The path that all items of a list share. */
function categoriesOf({ items = [] }: Ecommerce): unknown[] {
  const [first] = items;
  const path: unknown[] = [];
  for (const level of CATEGORY_LEVELS) {
    const name = first?.[level];
    if (!name || items.some((item) => item[level] !== name)) break;
    path.push(name);
  }
  return path;
}

/** A cart with more, or less, of some products. */
const changed =
  (by: Item[], sign: number) =>
  (cart: Item[]): Item[] => {
    const result = new Map(cart.map((item) => [item.pid, item]));
    for (const item of by) {
      const quantity = (result.get(item.pid)?.quantity ?? 0) + sign * (item.quantity ?? 1);
      if (quantity > 0) result.set(item.pid, { ...item, quantity });
      else result.delete(item.pid);
    }
    return Array.from(result.values());
  };

type Handler = (events: Events, data: Ecommerce, items: Item[]) => void;

const search: Handler = (events, { search_term: query }) => {
  if (query) events.view('search', { query });
};

/** What GA4 calls it, and what it is here. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  view_item: (events, _data, [item]) => {
    if (item) events.view('product', { pid: item.pid, price: item.price });
  },
  // Also stands below a product, as what goes with it: then it is no visit to a category.
  view_item_list: (events, data) => {
    const categories = categoriesOf(data);
    if (categories.length > 0 && !events.hasSeen('product') && !events.hasSeen('search'))
      events.view('category', { categories });
  },
  search,
  view_search_results: search,
  add_to_cart: (events, _data, items) => events.cart(changed(items, 1)),
  remove_from_cart: (events, _data, items) => events.cart(changed(items, -1)),
  view_cart: (events, _data, items) => events.cart(() => items),
  purchase: (events, { transaction_id: id, value: total }, items) => {
    if (id) events.view('transaction', { id: String(id), items, total });
  },
};

/** An entry of the data layer, as Tag Manager takes it (an object) or as gtag() writes it (arguments). */
function read(entry: unknown, withEvents: WithEvents): void {
  if (typeof entry !== 'object' || entry === null) return;
  const list = entry as ArrayLike<unknown>;
  const fields = entry as Fields;
  const byGtag = list[0] === 'event';
  const name = String(byGtag ? list[1] : fields['event']);
  const data = byGtag ? list[2] : (fields['ecommerce'] ?? fields);
  const handler = Object.keys(HANDLERS).includes(name) ? HANDLERS[name] : undefined;
  if (!handler || typeof data !== 'object' || data === null) return;
  // Tag Manager has the words of a search beside the items.
  const all = { ...(byGtag ? {} : fields), ...data } as Ecommerce;
  const items = itemsOf(all);
  withEvents((events) => handler(events, all, items));
}

/** Reads what is there and what comes, and changes nothing of it. */
export function watchDataLayer(withEvents: WithEvents, safely: (work: () => void) => void): void {
  const owner = window as unknown as { dataLayer?: unknown[] };
  const layer = (owner.dataLayer ??= []);
  const push = layer.push;
  const look = (entries: unknown[]): void => {
    for (const entry of entries) safely(() => read(entry, withEvents));
  };
  layer.push = function (...entries) {
    const length = push.apply(layer, entries);
    look(entries);
    return length;
  };
  look(layer.slice());
}
