import { SaxesParser } from 'saxes';
import { JobFailure } from '../../../jobs/job-queue';
import { ApiError } from '../../../shared/api-error';
import { type FeedLimits, inMib } from '../limits';
import { beginningOf, type FeedEntry } from './feed-format';

/** RSS calls a product `item`, Atom `entry`. */
const ITEMS = new Set(['item', 'entry']);
/** Levels of elements. */
const DEEPEST = 32;

type Value = string | Record<string, unknown>;

/** An element that is open, with what is in it so far. */
interface Open {
  name: string;
  text: string;
  children: Map<string, Value[]> | null;
  /** An address in an attribute, as Atom writes links. */
  href: string | undefined;
}

/**
 * Items of a Google Merchant feed (RSS or Atom), fields by name without their prefix. Nothing is expanded: a document type is refused, and so is an
 * entity that XML itself does not have.
 */
export async function* readXml(text: AsyncIterable<Buffer>, limits: FeedLimits): AsyncGenerator<FeedEntry[]> {
  const reader = new ItemReader(limits);
  const decoder = new TextDecoder();
  for await (const chunk of text) {
    const found = reader.write(decoder.decode(chunk, { stream: true }));
    if (found.length > 0) yield found;
  }
  reader.finish();
}

class ItemReader {
  private readonly parser = new SaxesParser({ position: true });
  private readonly path: Open[] = [];
  private found: FeedEntry[] = [];
  /** Where the item began, while one is open. */
  private itemLine = 0;
  private itemDepth = 0;
  private itemBegan = 0;
  private sinceLast = 0;
  private hasRoot = false;

  constructor(private readonly limits: FeedLimits) {
    const { parser } = this;
    parser.on('doctype', () => fail(parser.line, 'it has a document type (DOCTYPE), which is not accepted'));
    parser.on('error', ({ message }) => fail(parser.line, message.replace(/^[\d:. ]+/, '')));
    parser.on('opentag', ({ name, attributes }) => this.open(name, attributes as Record<string, string>));
    parser.on('text', (text) => this.add(text));
    parser.on('cdata', (text) => this.add(text));
    parser.on('closetag', () => this.close());
  }

  write(text: string): FeedEntry[] {
    this.found = [];
    this.sinceLast += text.length;
    this.parser.write(text);
    if (this.sinceLast > this.limits.withoutEnd) {
      fail(this.parser.line, `no element ends within ${inMib(this.limits.withoutEnd)}`);
    }
    return this.found;
  }

  finish(): void {
    if (!this.hasRoot) throw new JobFailure('The feed is empty');
    this.parser.close();
  }

  private open(fullName: string, attributes: Readonly<Record<string, string>>): void {
    this.sinceLast = 0;
    this.hasRoot = true;
    const name = fullName.slice(fullName.indexOf(':') + 1);
    if (this.path.length >= DEEPEST) fail(this.parser.line, `it nests deeper than the ${DEEPEST} levels accepted`);
    if (this.itemDepth === 0 && ITEMS.has(name)) {
      this.itemDepth = this.path.length + 1;
      this.itemLine = this.parser.line;
      this.itemBegan = this.parser.position;
    }
    this.path.push({ name, text: '', children: null, href: attributes['href'] });
  }

  private add(text: string): void {
    const open = this.path.at(-1);
    if (open && this.itemDepth > 0 && !this.isTooLong()) open.text += text;
  }

  private close(): void {
    this.sinceLast = 0;
    const closed = this.path.pop();
    if (!closed || this.itemDepth === 0) return;
    if (this.path.length < this.itemDepth - 1) return;
    if (this.path.length === this.itemDepth - 1) {
      this.found.push(this.entryOf(closed));
      this.itemDepth = 0;
      return;
    }
    const parent = this.path.at(-1);
    if (!parent || this.isTooLong()) return;
    parent.children ??= new Map();
    parent.children.set(closed.name, [...(parent.children.get(closed.name) ?? []), valueOf(closed)]);
  }

  private isTooLong(): boolean {
    return this.parser.position - this.itemBegan > this.limits.item;
  }

  private entryOf(item: Open): FeedEntry {
    const line = this.itemLine;
    if (this.isTooLong()) {
      const message = `The item is longer than the ${this.limits.item} bytes accepted`;
      return {
        line,
        problem: new ApiError('body_too_large', message),
        text: beginningOf(String(fieldsOf(item)['id'] ?? '')),
      };
    }
    return { line, row: fieldsOf(item) };
  }
}

function valueOf(element: Open): Value {
  if (element.children) return fieldsOf(element);
  const text = element.text.trim();
  return text === '' ? (element.href ?? '') : text;
}

/** Fields that come several times are lists; empty ones are left out. */
function fieldsOf({ children }: Open): Record<string, unknown> {
  const fields = Array.from(children ?? [], ([name, values]): [string, unknown] => {
    const given = values.filter((value) => value !== '');
    return [name, given.length > 1 ? given : given[0]];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function fail(line: number, message: string): never {
  throw new JobFailure(`The XML is refused at line ${line}: ${message}`);
}
