import { z } from 'zod';
import { jobStates } from '../jobs/job-queue';

/** A schedule as admin routes show it. `last`: its newest job. */
export const scheduleView = z.object({
  kind: z.string(),
  everySeconds: z.number(),
  paused: z.boolean(),
  last: z.object({ id: z.string(), state: z.enum(jobStates), createdAt: z.iso.datetime() }).nullable(),
});
export type ScheduleView = z.infer<typeof scheduleView>;
