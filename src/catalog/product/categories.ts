import { joinLevels, pathAndAbove } from '../../ranking/vectors/category-path';
import { levelKey, normaliseValue } from '../../ranking/vectors/features';
import type { CategoryRef } from './product';
import { listOf, objectOf, textOf } from './sent-values';

/** One level on the way from the top of the category tree. */
export interface CategoryLevel {
  id: string;
  name: string;
}

/** Between the names of a path as people write it. Keys are joined as in ranking/vectors/category-path.ts. */
const SEPARATOR = ' > ';

/** `A > B` -> `A`, `B`. */
export const namesIn = (path: string): string[] =>
  path
    .split('>')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A shop has few categories and many products: categories sent as texts are read once. */
const known = new Map<string, CategoryRef[]>();
const MOST_KNOWN = 5000;
const knownPaths = new WeakMap<readonly CategoryRef[], CategoryLevel[][]>();

/**
 * Categories as sent -> every level once, parents before children. A text `A > B > C` is a path; a list of plain names is one path
 * too, the top first, as breadcrumbs are; objects name the levels above by their ids in `parents`.
 */
export function categoriesOf(sent: unknown): CategoryRef[] {
  const items = listOf(sent);
  if (!items.every((item) => typeof item === 'string')) return readCategories(items);
  const key = JSON.stringify(items);
  let refs = known.get(key);
  if (!refs) {
    if (known.size >= MOST_KNOWN) known.clear();
    refs = readCategories(items);
    known.set(key, refs);
  }
  return refs;
}

function readCategories(items: readonly unknown[]): CategoryRef[] {
  const texts = items.flatMap((item) => textOf(item) ?? []);
  const isOnePath = texts.length > 1 && texts.every((text) => !text.includes('>'));
  const paths = isOnePath ? [texts] : texts.map(namesIn);
  const refs = new Map<string, CategoryRef>();
  for (const ref of [...paths.flatMap(levelsOfPath), ...placed(items)]) {
    if (!refs.has(ref.id)) refs.set(ref.id, ref);
  }
  return [...refs.values()];
}

function levelsOfPath(names: readonly string[]): CategoryRef[] {
  const normalised = names.map(normaliseValue);
  const ids = normalised.map((_, depth) => normalised.slice(0, depth + 1).join(SEPARATOR));
  return names.map((name, depth) => ({ id: ids[depth] ?? name, name, parents: ids.slice(0, depth) }));
}

/** Categories sent as objects. Feeds often name the direct parent alone: the levels above it are looked up. */
function placed(items: readonly unknown[]): CategoryRef[] {
  const own = new Map<string, CategoryRef>();
  for (const item of items) {
    const sent = objectOf(item);
    const name = textOf(sent?.['name']) ?? textOf(sent?.['id']);
    if (!sent || name === null) continue;
    const parents = listOf(sent['parents']).flatMap((parent) => textOf(objectOf(parent)?.['id'] ?? parent) ?? []);
    const id = textOf(sent['id']) ?? [...parents, normaliseValue(name)].join(SEPARATOR);
    own.set(id, { id, name, parents });
  }
  const whole = [...own.values()].map((ref) => ({ ...ref, parents: ancestors(ref, own) }));
  return whole.sort((a, b) => a.parents.length - b.parents.length);
}

function ancestors(ref: CategoryRef, all: ReadonlyMap<string, CategoryRef>): string[] {
  const path = [...ref.parents];
  const seen = new Set([ref.id, ...path]);
  for (let top = all.get(path[0] ?? ''); top; top = all.get(path[0] ?? '')) {
    const above = top.parents.at(-1);
    if (above === undefined || seen.has(above)) break;
    seen.add(above);
    path.unshift(above);
  }
  return path;
}

/** The paths from the top to every category without a level below, in the order of the refs. */
export function categoryPaths(refs: readonly CategoryRef[]): readonly CategoryLevel[][] {
  let found = knownPaths.get(refs);
  if (!found) {
    found = findPaths(refs);
    knownPaths.set(refs, found);
  }
  return found;
}

function findPaths(refs: readonly CategoryRef[]): CategoryLevel[][] {
  const names = new Map(refs.map(({ id, name }) => [id, name]));
  const inner = new Set(refs.flatMap(({ parents }) => parents));
  const leaves = refs.filter(({ id }) => !inner.has(id));
  return leaves.map(({ id, name, parents }) => [
    ...parents.map((parent) => ({ id: parent, name: names.get(parent) ?? lastLevel(parent) })),
    { id, name },
  ]);
}

/** The name of a level that was sent without one: the last part of an id that is a path. No search finds it. */
export function lastLevel(id: string): string {
  return id.split(SEPARATOR).at(-1) ?? id;
}

/** The keys that the levels of a path are filtered by, the top first: `a`, `a/b`. */
export function categoryKeys(path: readonly CategoryLevel[]): string[] {
  return pathAndAbove(path.map(({ name }) => levelKey(name)));
}

/** Whether any level of these categories is one the store declared sensitive: by its id, or by its path of names. */
export function isSensitive(refs: readonly CategoryRef[], sensitive: readonly string[]): boolean {
  if (sensitive.length === 0) return false;
  const declared = new Set(sensitive.flatMap((id) => [id, normaliseValue(id)]));
  const named = (path: readonly CategoryLevel[]): boolean =>
    path.some(({ id }, depth) => {
      const names = path.slice(0, depth + 1).map(({ name }) => normaliseValue(name));
      return [id, normaliseValue(id), names.join(SEPARATOR), joinLevels(names)].some((text) => declared.has(text));
    });
  return categoryPaths(refs).some(named);
}
