import { z } from 'zod';
import { isId } from '../../shared/ids';
import { id, MOST_ITEMS, number, optional } from './event-fields';

/** A product that an event names. */
export const item = z.looseObject({ pid: id, sku: optional(id), price: optional(number), quantity: optional(number) });

export interface ParsedItem {
  pid: string;
  sku?: string | undefined;
  price?: number | undefined;
  quantity?: number | undefined;
}

const isOptionalNumber = (value: unknown): boolean => value === undefined || Number.isFinite(value);

/** Whether items are as `item` would make them: hundreds are looked at several times as fast as each of their fields is made regular. */
export function areRegular(items: unknown): items is ParsedItem[] {
  if (!Array.isArray(items) || items.length > MOST_ITEMS) return false;
  return items.every((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
    const { pid, sku, price, quantity } = entry as Record<keyof ParsedItem, unknown>;
    return isId(pid) && (sku === undefined || isId(sku)) && isOptionalNumber(price) && isOptionalNumber(quantity);
  });
}

/** They were looked at before this schema was chosen. */
export const regularItems = z.custom<ParsedItem[]>(() => true);
