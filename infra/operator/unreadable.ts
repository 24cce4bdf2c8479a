import { isUnreadable } from "../../shared/store/layouts/unreadable.ts";

/** Answers `unclear` for an item that can't be read, so that the work goes on without it. */
export async function unlessUnreadable<T>(read: () => T | Promise<T>): Promise<T | "unclear"> {
  try {
    return await read();
  } catch (error) {
    if (isUnreadable(error)) return "unclear";
    throw error;
  }
}
