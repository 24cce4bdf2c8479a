import * as z from "zod/mini";
import { Unreadable } from "../../../shared/store/dynamodb/unreadable.ts";

/**
 * Runs what reads items, and answers `unclear` where one of them can't be read: the survey has named that item. So one
 * such item does not end a verification. Other errors are thrown as they are.
 */
export async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | "unclear"> {
  try {
    return await read();
  } catch (error) {
    return unclearIf(error);
  }
}

/** The same for what is read already. */
export function ifReadable<T>(find: () => T): T | "unclear" {
  try {
    return find();
  } catch (error) {
    return unclearIf(error);
  }
}

function unclearIf(error: unknown): "unclear" {
  if (error instanceof Unreadable || error instanceof z.core.$ZodError) return "unclear";
  throw error;
}
