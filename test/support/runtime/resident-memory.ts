import { readdirSync, readFileSync } from "node:fs";

/** The parent of a process, and its resident memory in MB; undefined if it is gone. */
const look = (pid: string): { readonly parent: string; readonly megabytes: number } | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? "0";
    return { parent: field("PPid"), megabytes: Number(field("VmRSS")) / 1024 };
  } catch {
    return undefined;
  }
};

/**
 * The resident memory of all processes below one, in MB. Pages that two of them share count twice. It is
 * known on Linux alone.
 */
export const megabytesBelow = (root: string): number => {
  const all = readdirSync("/proc").flatMap((pid) => {
    const found = /^\d+$/.test(pid) ? look(pid) : undefined;
    return found === undefined ? [] : [{ pid, ...found }];
  });
  const below = (parent: string): number =>
    all
      .filter((found) => found.parent === parent)
      .reduce((total, { pid, megabytes }) => total + megabytes + below(pid), 0);
  return below(root);
};
