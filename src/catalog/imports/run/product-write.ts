import type { ImportReport } from '../../../jobs/imports/import-report';
import { ApiError } from '../../../shared/api-error';
import { textOf } from '../../product/sent-values';
import { parseProduct } from '../../product/parse-product';
import type { RecordWrite } from '../../records/catalog-records';
import type { FeedProduct, PlacedItem } from './feed-workspace';
import { beginningOf } from '../formats/feed-format';
import { googleGroup } from '../items/google-group';

interface WriteContext {
  mode: 'full' | 'partial';
  receivedAt: number;
  report: Pick<ImportReport, 'reject'>;
}

/** The write that a product of a feed asks for; null where nothing of it is left. What is refused is reported, of a group item by item. */
export function writeOf(product: FeedProduct, { mode, receivedAt, report }: WriteContext): RecordWrite | null {
  const { productId } = product;
  const isGroup = product.items.some(({ grouped }) => grouped);
  const read = (item: PlacedItem): RecordWrite | null => {
    const routeId = isGroup ? undefined : productId;
    try {
      return parseProduct(item.fields, { receivedAt, ...(routeId === undefined ? {} : { routeId }) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(item, report, { error: error.code, message: error.message });
      return null;
    }
  };
  const items = lastOfEach(product.items, isGroup, report).flatMap((item) => {
    const write = read(item);
    return write ? [{ item, write }] : [];
  });
  const [first] = items;
  if (!first) return null;
  const fields = items.map(({ item }) => item.fields);
  const write = isGroup ? { ...first.write, productId, sent: googleGroup(productId, fields) } : first.write;
  return mode === 'partial' && write.sent ? { ...write, merge: true } : write;
}

/** Of what comes again the last counts. */
function lastOfEach(items: readonly PlacedItem[], isGroup: boolean, report: WriteContext['report']): PlacedItem[] {
  const last = new Map<string, PlacedItem>();
  for (const item of items) {
    const key = isGroup ? (textOf(item.fields['id']) ?? '') : '';
    const before = last.get(key);
    if (before)
      refuse(before, report, { error: 'repeated', message: `It comes again in line ${item.line}, which counts` });
    last.set(key, item);
  }
  return [...last.values()];
}

function refuse(
  { line, fields }: PlacedItem,
  report: WriteContext['report'],
  why: { error: string; message: string },
): void {
  const id = textOf(fields['id'])?.slice(0, 256);
  report.reject({ line, ...(id === undefined ? {} : { id }), ...why, text: beginningOf(JSON.stringify(fields)) });
}
