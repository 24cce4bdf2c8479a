import * as z from "zod/mini";

/** The body of a WMS call whose work is queued now, and done a moment later. */
export const acceptance = z.object({
  response: z.object({ success: z.literal(true), message: z.string() }),
});

export const accepted = (message: string): z.output<typeof acceptance> => ({
  response: { success: true, message },
});
