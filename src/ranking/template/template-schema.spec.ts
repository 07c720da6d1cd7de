import { templateJsonSchema } from './template-schema';

interface Part {
  description?: string;
  additionalProperties?: unknown;
  properties?: Record<string, Part>;
  items?: Part;
  anyOf?: Part[];
}

describe('the JSON Schema of templates', () => {
  const schema = templateJsonSchema() as Part & { $schema: string };

  it('is of a draft that editors read, and refuses unknown keys', () => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties?.['signals']?.additionalProperties).toBe(false);
  });

  it('describes every part, those of contexts too', () => {
    const missing: string[] = [];
    const seen: string[] = [];
    const look = (part: Part, path: string): void => {
      for (const [name, own] of Object.entries(part.properties ?? {})) {
        seen.push(`${path}${name}`);
        if (!own.description) missing.push(`${path}${name}`);
        look(own, `${path}${name}.`);
      }
      if (part.items) look(part.items, path);
      for (const variant of part.anyOf ?? []) look(variant, path);
    };
    look(schema, '');
    expect(missing).toEqual([]);
    expect(seen).toEqual(expect.arrayContaining(['signals.trend.short', 'contexts.signals.rating.weight']));
  });
});
