import { z } from 'zod';
import { timeField } from '../../http/fields';
import { CONTROL, HOLDOUT } from '../../ranking/experiments/assignment';
import type { TemplateDocument } from '../../ranking/template/template-document';
import { contextName } from '../../ranking/template/template-context';

/** An experiment of a store: which shoppers are ranked with which template, and which are not ranked personally at all. */

const MOST_VARIANTS = 10;

const name = contextName;
const percent = z.number().min(0).max(100);

const variant = z
  .strictObject({
    name: name.refine((text) => text !== HOLDOUT, `"${HOLDOUT}" is what those are called who are held out`),
    share: percent.refine((share) => share > 0, 'A share of more than 0 percent is required'),
    /** Absent: the template that serves, also where another one is activated. */
    template: name.optional(),
    /** Of the template; absent: the newest there is when the experiment is put. */
    version: z.int().min(0).optional(),
    /** In place of the template's own. */
    strength: percent.optional(),
    /** Its shoppers get lists that are dealt from this ranking and the one that serves (docs/experiments.md). */
    interleave: z.literal(true).optional(),
  })
  .superRefine((one, issues) => {
    const mistake = (key: string, message: string): void => issues.addIssue({ code: 'custom', path: [key], message });
    if (one.version !== undefined && one.template === undefined)
      mistake('version', 'is of a template, and none is named');
    const isSame = one.template === undefined && one.strength === undefined;
    if (one.interleave && isSame && one.name !== CONTROL)
      mistake('interleave', 'needs another ranking than the one that serves: a template, a strength or both');
    if (one.name !== CONTROL) return;
    const message = `"${CONTROL}" are those who get what everybody gets: a variant of this name has no other template or strength, and is not interleaved`;
    if (one.template !== undefined) mistake('template', message);
    if (one.strength !== undefined) mistake('strength', message);
    if (one.interleave !== undefined) mistake('interleave', message);
  });

/** Answered by `GET`, so that what was read can be sent again; not read. */
const answered = z.unknown().optional();

/** As it is sent. `share` is in percent of those who are not held out. */
export const experimentSchema = z
  .strictObject({
    name: name.optional(),
    variants: z.array(variant).max(MOST_VARIANTS, `At most ${MOST_VARIANTS} variants are accepted`),
    holdout: percent.default(0),
    from: timeField.optional(),
    to: timeField.optional(),
    state: answered,
    since: answered,
    updatedAt: answered,
    updatedBy: answered,
  })
  .superRefine(({ variants, holdout, from, to }, issues) => {
    const mistake = (path: PropertyKey[], message: string): void => issues.addIssue({ code: 'custom', path, message });
    if (variants.length === 0 && holdout === 0) mistake(['variants'], 'Variants or a holdout are required');
    const sum = variants.reduce((all, { share }) => all + share, 0);
    if (sum > 100 + 1e-9)
      mistake(['variants'], `Their shares are ${Number(sum.toFixed(6))} percent together; at most 100 are there`);
    const names = variants.map((one) => one.name);
    for (const [index, own] of names.entries())
      if (names.indexOf(own) < index) mistake(['variants', index, 'name'], 'Another variant has this name');
    if (from !== undefined && to !== undefined && from >= to) mistake(['to'], 'It has to be later than from');
  });
export type ExperimentBody = z.output<typeof experimentSchema>;
export type VariantBody = ExperimentBody['variants'][0];

/** As it is kept. */
export interface Experiment extends Pick<ExperimentBody, 'variants' | 'holdout' | 'from' | 'to'> {
  name: string;
  /** Of each variant that names one, by the variant's name: what is tried stays the same, whatever becomes of the template. */
  documents: Readonly<Record<string, TemplateDocument>>;
  /** Since when it is split as it is now, unless it begins later. */
  splitAt: string;
  updatedAt: string;
  /** Role and id of the admin token. */
  updatedBy: string;
}

export type ExperimentState = 'planned' | 'running' | 'ended';

/** It acts from `from` on, and until `to`, without that moment. */
export function stateOf({ from, to }: Pick<Experiment, 'from' | 'to'>, now: number): ExperimentState {
  if (from !== undefined && now < Date.parse(from)) return 'planned';
  return to !== undefined && now >= Date.parse(to) ? 'ended' : 'running';
}

/** From when its results count. */
export const sinceOf = ({ from, splitAt }: Pick<Experiment, 'from' | 'splitAt'>): string =>
  from !== undefined && from > splitAt ? from : splitAt;

/** Whether both act at some time: then a shopper would be in two at once, and neither could tell what it did. */
export const overlap = (one: Pick<Experiment, 'from' | 'to'>, other: Pick<Experiment, 'from' | 'to'>): boolean =>
  begin(one) < end(other) && begin(other) < end(one);

const begin = ({ from }: Pick<Experiment, 'from'>): number => (from === undefined ? -Infinity : Date.parse(from));
const end = ({ to }: Pick<Experiment, 'to'>): number => (to === undefined ? Infinity : Date.parse(to));
