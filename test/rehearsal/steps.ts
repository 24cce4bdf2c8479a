/**
 * The steps of a rehearsal: each is a rule that holds or not, and the next ones go on from where it ended.
 */

export interface Steps {
  /**
   * Carries a step out, unless one before it has failed: then it counts as failed, too. `work` may answer a
   * figure to be printed.
   */
  readonly step: (title: string, work: () => Promise<string | undefined>) => Promise<void>;
  /** A step that later ones build on. Answers its value; undefined if it has failed. */
  readonly value: <T>(title: string, work: () => Promise<T>) => Promise<T | undefined>;
  /** Prints the last line. @returns whether every step has passed */
  readonly end: () => boolean;
}

/** Steps that print a line each: seconds taken, title, and a figure if the step answers one. */
export function newSteps(print: (line: string) => void): Steps {
  let passed = 0;
  let failed = 0;
  const carryOut = async <T>(title: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (failed > 0) {
      failed += 1;
      print(`   not run  ${title}`);
      return undefined;
    }
    const begun = Date.now();
    const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`.padStart(10);
    try {
      const value = await work();
      passed += 1;
      print(`${seconds()}  ${title}${typeof value === "string" ? `: ${value}` : ""}`);
      return value;
    } catch (error) {
      failed += 1;
      print(
        `${seconds()}  FAILED: ${title}\n${error instanceof Error ? (error.stack ?? error.message) : error}`,
      );
      return undefined;
    }
  };
  return {
    step: async (title, work) => {
      await carryOut(title, work);
    },
    value: carryOut,
    end: () => {
      print(`\n${passed} passed, ${failed} failed`);
      return failed === 0;
    },
  };
}
