import { z } from 'zod';

/** Digits only: an empty or a signed number is a mistake of the sender. */
export const pieceQuery = z.object({
  from: z
    .string({ error: 'how many bytes were sent before is required: 0 for the first piece' })
    .regex(/^\d{1,15}$/, 'a number of bytes is required, such as 0')
    .transform(Number)
    .meta({ description: 'How many bytes of the feed were taken before this piece', example: '0' }),
});
export type PieceQuery = z.output<typeof pieceQuery>;

export const newUpload = z.strictObject({
  of: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('What is uploaded, in words of the sender, by which a later one knows that it is still the same file'),
});
export type NewUpload = z.output<typeof newUpload>;

/** A feed that is uploaded piece by piece. */
export const uploadView = z.object({
  id: z.string(),
  of: z.string().optional(),
  /** Taken so far, and durable. */
  bytes: z.int(),
  /** The last import of it that was no dry run. */
  jobId: z.string().optional(),
  updatedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type UploadView = z.output<typeof uploadView>;
