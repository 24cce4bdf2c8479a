import * as z from "zod/mini";
import { Unreadable } from "../../shared/store/layouts/layouts.ts";

/** Whether an error says that an item does not have its expected form. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || error instanceof z.core.$ZodError;

/** Answers `unclear` for an item that can't be read, so that the work goes on without it. */
export async function unlessUnreadable<T>(read: () => T | Promise<T>): Promise<T | "unclear"> {
  try {
    return await read();
  } catch (error) {
    if (isUnreadable(error)) return "unclear";
    throw error;
  }
}
