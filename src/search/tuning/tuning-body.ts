import { z } from 'zod';
import { tuningBounds } from '../../ranking/tuning/tuned-numbers';
import { dayOrTime } from '../replay/replay-schemas';
import { OBJECTIVES } from './tuning-report';

const TRIALS = { usual: 1200, least: 20, most: 20_000 };

/** What a tuning is asked for. */
export const tuningBody = z
  .strictObject({
    objective: z
      .enum(OBJECTIVES)
      .describe('ndcg: what was clicked, put into carts and ordered; revenue: what was paid for what was ordered'),
    bounds: tuningBounds
      .optional()
      .describe(
        'Path of a number of the template -> the lowest and the highest it may become, or null: as far as usual. What is not named stays as it is. Absent: the usual numbers',
      ),
    from: dayOrTime,
    to: dayOrTime.describe('Exclusive'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'letters, digits, "-" and "_", up to 64')
      .default('tuned')
      .describe('The template that the candidate becomes a version of'),
    seed: z.int().min(0).max(2_147_483_647).default(1).describe('The same seed finds the same template'),
    budget: z.int().min(TRIALS.least).max(TRIALS.most).default(TRIALS.usual).describe('Templates that are tried'),
  })
  .refine(({ from, to }) => from < to, { path: ['from'], message: 'has to be before to' });
