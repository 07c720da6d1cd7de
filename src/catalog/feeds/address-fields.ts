import { z } from 'zod';

const credential = z.string().min(1).max(1000).optional();

/** An address of a feed, with what opens it. */
export const addressFields = {
  url: z.url({ protocol: /^https?$/, error: 'an http or https address is required' }).max(2000),
  user: credential,
  password: credential.describe('Never shown'),
};
