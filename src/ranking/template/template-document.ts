import { z } from 'zod';
import { mergePatch } from './merge-patch';
import { type BoostTemplate, boostTemplateSchema } from './template';
import { contextCheck, contextName, type TemplateContext, templateWhen } from './template-context';

/**
 * A boost template as engineers write it: the template itself, and what differs in some contexts (docs/templates.md). A
 * context is a JSON Merge Patch of the template; ranked is always with one whole template.
 */

/** A template has so many contexts at most: each search looks at them one by one. */
const MOST_CONTEXTS = 50;

type Shape = Readonly<Record<string, z.ZodType>>;

/** The same without defaults: what is left out stays as it is, and what may be absent is taken out by null. */
function patchOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return patchOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodOptional) return patchOf(schema.unwrap() as z.ZodType).nullable();
  if (!(schema instanceof z.ZodObject)) return schema;
  const parts = Object.entries(schema.shape as Shape).map(([name, part]) => [name, patchOf(part).optional()]);
  return z.strictObject(Object.fromEntries(parts) as Shape);
}

const { name: _ownName, note: _ownNote, ...patchable } = boostTemplateSchema.shape;
const patch = patchOf(z.strictObject(patchable)) as z.ZodObject;

/** What the store learns once for all its searches. */
const LEARNED = ['short', 'middle', 'long', 'prior'];

const contextSchema = z
  .strictObject({ name: contextName, when: templateWhen, ...patch.shape })
  .superRefine((body, issues) => {
    const { signals } = body as { signals?: { trend?: object | null } };
    for (const key of Object.keys(signals?.trend ?? {}).filter((name) => LEARNED.includes(name))) {
      const message = 'is learned once for the whole store: it belongs to the template, not to one of its contexts';
      issues.addIssue({ code: 'custom', path: ['signals', 'trend', key], message });
    }
  });
export type TemplateContextPart = z.output<typeof contextSchema>;

/** Answered by `GET`, so that what was read can be sent again; not read. */
const answered = z.unknown().optional().meta({ description: 'As GET shows it; says nothing here' });

/** As it is sent. */
export const templateBodySchema = z
  .strictObject({
    $schema: z.string().max(2048).optional(),
    ...boostTemplateSchema.shape,
    author: z.string().max(100).optional(),
    contexts: z.array(contextSchema).max(MOST_CONTEXTS).default([]),
    version: answered,
    active: answered,
    activeVersion: answered,
    updatedAt: answered,
    updatedBy: answered,
  })
  .superRefine((body, issues) => {
    const document = templateDocument(body);
    const names = document.contexts.map(({ name }) => name);
    const { contexts: _contexts, author: _author, ...base } = document;
    // Mistakes of a part are told where they are, not again of what is made of it.
    const isSound = boostTemplateSchema.safeParse(base).success;
    document.contexts.forEach((part, index) => {
      const mistake = (path: PropertyKey[], message: string): void =>
        issues.addIssue({ code: 'custom', path: ['contexts', index, ...path], message });
      if (names.indexOf(part.name) < index) mistake(['name'], 'Another context has this name');
      if (!isSound || !contextSchema.safeParse(part).success) return;
      for (const { path, message } of templateIn(document, part).error?.issues ?? []) mistake(path, message);
    });
  });
type TemplateBody = z.output<typeof templateBodySchema>;

/** As it is kept: whole, with every default written out, so that no later default changes a ranking. */
export type TemplateDocument = Omit<
  TemplateBody,
  '$schema' | 'version' | 'active' | 'activeVersion' | 'updatedAt' | 'updatedBy'
>;

export function templateDocument(body: TemplateBody): TemplateDocument {
  const {
    $schema: _schema,
    version: _version,
    active: _active,
    activeVersion: _activeVersion,
    updatedAt: _updatedAt,
    updatedBy: _updatedBy,
    ...document
  } = body;
  return document;
}

export const defaultDocument: TemplateDocument = templateDocument(templateBodySchema.parse({}));

/** The whole template of one context. */
function templateIn(document: TemplateDocument, part: TemplateContextPart): z.ZodSafeParseResult<BoostTemplate> {
  const { contexts: _contexts, author: _author, ...base } = document;
  const { name: _name, when: _when, ...changes } = part;
  return boostTemplateSchema.safeParse(mergePatch(base, changes));
}

/** A document, ready to be ranked with: the template of each context is made once. */
export class CompiledTemplate {
  private readonly base: BoostTemplate;
  private readonly contexts: { template: BoostTemplate; applies(context: TemplateContext): boolean }[];
  private readonly byStrength = new Map<number, CompiledTemplate>();

  constructor(private readonly document: TemplateDocument) {
    const { contexts, author: _author, ...base } = document;
    this.base = base;
    this.contexts = contexts.map((part) => {
      const { data = base } = templateIn(document, part);
      // What replies and explanations call it.
      return { template: { ...data, name: `${base.name}/${part.name}` }, applies: contextCheck(part.when) };
    });
  }

  /** The first context that applies decides; where none does, the document itself. */
  of(context: TemplateContext): BoostTemplate {
    return this.contexts.find(({ applies }) => applies(context))?.template ?? this.base;
  }

  /** The same with another strength, but for contexts that have one of their own. The same object each time. */
  withStrength(strength: number): CompiledTemplate {
    const known = this.byStrength.get(strength) ?? new CompiledTemplate({ ...this.document, strength });
    this.byStrength.set(strength, known);
    return known;
  }
}

export const defaultCompiled = new CompiledTemplate(defaultDocument);
