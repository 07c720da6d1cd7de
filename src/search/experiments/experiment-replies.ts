import { z } from 'zod';
import { type Experiment, sinceOf, stateOf } from '../../stores/experiments/experiment';

/** What the experiment routes answer (contract 8). */

export const experimentView = z.object({
  name: z.string(),
  variants: z.array(
    z.object({
      name: z.string(),
      share: z.number().describe('Percent of those who are not held out'),
      template: z.string().optional().describe('Absent: the template that serves'),
      version: z.int().optional().describe('Of the template; later versions change nothing'),
      strength: z.number().optional(),
      interleave: z.literal(true).optional().describe('Lists are dealt from this ranking and the one that serves'),
    }),
  ),
  holdout: z.number().describe('Percent of all shoppers'),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  state: z.enum(['planned', 'running', 'ended']),
  since: z.iso.datetime().describe('From when on results count: since it began, or since it was last split otherwise'),
  updatedAt: z.iso.datetime(),
  updatedBy: z.string().describe('Role and id of the admin token'),
});
export type ExperimentView = z.output<typeof experimentView>;

export const experimentList = z.object({ experiments: z.array(experimentView) });

export function viewOfExperiment(experiment: Experiment, now: number): ExperimentView {
  const { documents: _documents, splitAt: _splitAt, ...shown } = experiment;
  return { ...shown, state: stateOf(experiment, now), since: sinceOf(experiment) };
}
