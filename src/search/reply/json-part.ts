/** A part of a reply that is JSON already, in pieces: a reply is put together once, of all the pieces of its parts. */
export class JsonPart {
  /** `same`: what it says without what names one reply alone, for the tag, which few replies have. */
  constructor(
    readonly pieces: readonly string[],
    readonly same: () => string,
  ) {}

  /** So that JSON of what holds a part is right, whoever makes it. */
  toJSON(): unknown {
    return JSON.parse(this.pieces.join(''));
  }

  /** Nothing of it names one reply alone. */
  static whole(pieces: readonly string[]): JsonPart {
    return new JsonPart(pieces, () => pieces.join(''));
  }

  static of(value: unknown): JsonPart {
    return JsonPart.whole([JSON.stringify(value)]);
  }
}

/** JSON of an object whose fields may be parts, or lists of parts. */
export function jsonOf(reply: Readonly<Record<string, unknown>>): string {
  return joined(fieldsOf(reply));
}

/** A field of a reply as JSON, with its name. */
export interface Field {
  name: string;
  part: JsonPart;
}

/** A field without a value is left out, as JSON leaves it out. */
export function fieldsOf(reply: Readonly<Record<string, unknown>>): Field[] {
  return Object.entries(reply).flatMap(([name, value]) => {
    const part = partOf(value);
    return part ? [{ name, part }] : [];
  });
}

export function joined(fields: readonly Field[]): string {
  const pieces: string[] = [];
  for (const { name, part } of fields) {
    pieces.push(pieces.length === 0 ? '{' : ',', JSON.stringify(name), ':');
    for (const piece of part.pieces) pieces.push(piece);
  }
  if (pieces.length === 0) return '{}';
  pieces.push('}');
  return pieces.join('');
}

function partOf(value: unknown): JsonPart | null {
  if (value instanceof JsonPart) return value;
  if (isParts(value)) {
    const pieces = value.flatMap((part, at) => [at === 0 ? '[' : ',', ...part.pieces]);
    pieces.push(']');
    return new JsonPart(pieces, () => value.map(({ same }) => same()).join());
  }
  return value === undefined ? null : JsonPart.of(value);
}

const isParts = (value: unknown): value is JsonPart[] => Array.isArray(value) && value[0] instanceof JsonPart;
