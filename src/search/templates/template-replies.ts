import { z } from 'zod';
import type { TemplateHead, VersionInfo } from '../../stores/templates/template-versions';
import type { ShownVersion } from '../../stores/templates/templates.service';
import type { Activation } from '../../stores/boost-templates';

/** What the template routes answer (contract 8). */

const version = z.int().min(0).describe('0: the template that comes with the service');
const versionFields = {
  version,
  updatedAt: z.iso.datetime().nullable(),
  updatedBy: z.string().nullable().describe('Role and id of the admin token'),
  author: z.string().optional(),
  note: z.string().optional(),
};

/** Its parts are those of the schema at /admin/schemas/boost-template.json. */
export const templateView = z.looseObject({
  $schema: z.string(),
  name: z.string(),
  ...versionFields,
  active: z.boolean(),
  activeVersion: version.optional(),
  strength: z.number(),
  contexts: z.array(z.looseObject({ name: z.string() })),
});

const activation = z.object({ name: z.string(), version, at: z.iso.datetime(), by: z.string() });

export const templateList = z.object({
  templates: z.array(
    z.object({
      name: z.string(),
      ...versionFields,
      active: z.boolean(),
      activeVersion: version.optional(),
      strength: z.number(),
      contexts: z.array(z.string()),
      versions: z.array(z.object(versionFields)),
    }),
  ),
  activations: z.array(activation).describe('Newest first'),
});
export type TemplateList = z.output<typeof templateList>;

export const validation = z.object({
  valid: z.boolean(),
  mistakes: z.array(z.object({ path: z.string(), message: z.string() })),
});

export const whichTemplate = z.object({ name: z.string(), version: z.int() });
export const templateDiff = z.object({
  from: whichTemplate,
  to: whichTemplate,
  changes: z.array(z.object({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })),
});

export function viewOf({ document, ...shown }: ShownVersion, schemaUrl: string): z.output<typeof templateView> {
  return { $schema: schemaUrl, ...document, ...shown };
}

export function listedTemplate({ name, versions }: TemplateHead, newest: ShownVersion): TemplateList['templates'][0] {
  const { document, ...shown } = newest;
  const contexts = document.contexts.map((context) => context.name);
  return { name, ...shown, strength: document.strength, contexts, versions: versions.map(infoOf).toReversed() };
}

const infoOf = ({ version: number, updatedAt, updatedBy, author, note }: VersionInfo): VersionInfo => ({
  version: number,
  updatedAt,
  updatedBy,
  ...(author === undefined ? {} : { author }),
  ...(note === undefined ? {} : { note }),
});

export const newestFirst = (activations: readonly Activation[]): Activation[] => activations.toReversed();
