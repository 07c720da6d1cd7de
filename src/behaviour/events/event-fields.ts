import { z } from 'zod';
import { ID_RULE, isId } from '../../shared/ids';

/** Most entries of any list of an event. */
export const MOST_ITEMS = 500;

/** Clients in the field send null, and empty text, for what they do not have. */
export const isBlank = (value: unknown): boolean => value === null || value === '';
const blankIsAbsent = (value: unknown): unknown => (isBlank(value) ? undefined : value);
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional());

export const numberToText = (value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
const idMessage = `Expected an id: ${ID_RULE} (a number is taken as its text)`;
export const id = z.preprocess(numberToText, z.custom<string>(isId, idMessage));

const numberMessage = 'Expected a number, or a text that holds one';
export const number = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number(numberMessage),
);

const timeMessage = 'Expected a time: ISO 8601, or milliseconds since 1970';
export const time = z
  .union([z.string(), z.number()], timeMessage)
  .transform((value) => timeOf(value))
  .refine((value) => Number.isFinite(value), timeMessage);

function timeOf(value: string | number): number {
  const at = typeof value === 'number' ? value : /^-?\d+$/.test(value) ? Number(value) : isoTime(value);
  return Math.abs(at) <= 8.64e15 ? Math.trunc(at) : NaN;
}

const isoTime = (text: string): number => (/^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN);

const listMessage = `Expected a list of at most ${MOST_ITEMS} entries`;
export const list = <T extends z.ZodType>(item: T) => z.array(item, listMessage).max(MOST_ITEMS, listMessage);
/** A list, or its only entry. */
export const listOrOne = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), list(item));
