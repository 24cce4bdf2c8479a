/** What processes use, as Linux tells it; nothing is known elsewhere. */
import { readdirSync, readFileSync } from "node:fs";

interface Usage {
  readonly parent: string;
  readonly megabytes: number;
  readonly seconds: number;
}

/** Linux counts the time of processors in hundredths of a second, and memory in pages of 4 KB. */
const [ticksOfSecond, pagesOfMegabyte] = [100, 256];

/** The usage of a process; undefined if it is gone. */
const look = (pid: string): Usage | undefined => {
  try {
    // The fields begin behind the name of the program, which may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const number = (field: number): number => Number(fields[field - 3]);
    return {
      parent: String(number(4)),
      megabytes: number(24) / pagesOfMegabyte,
      seconds: (number(14) + number(15)) / ticksOfSecond,
    };
  } catch {
    return undefined;
  }
};

const sumBelow = (root: string, measure: keyof Omit<Usage, "parent">): number => {
  const all = readdirSync("/proc").flatMap((pid) => {
    const found = /^\d+$/.test(pid) ? look(pid) : undefined;
    return found === undefined ? [] : [{ pid, ...found }];
  });
  const below = (parent: string): number =>
    all
      .filter((found) => found.parent === parent)
      .reduce((total, found) => total + found[measure] + below(found.pid), 0);
  return below(root);
};

/** The resident memory of all processes below one, in MB. Pages that two of them share count twice. */
export const megabytesBelow = (root: string): number => sumBelow(root, "megabytes");

/** The seconds of a processor that the processes below one have used since they began. */
export const secondsBelow = (root: string): number => sumBelow(root, "seconds");
