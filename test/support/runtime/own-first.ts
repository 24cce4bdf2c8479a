import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The turns that files take; all others come last. A worker that takes up another project ends its runtime,
 * so files of a project come together. The small unit tests are left for the end, where no worker shall wait
 * for another.
 *
 * Files that start runtimes, a browser or many processes, simulate schedules, hash passwords or store
 * thousands of items take long, though their text is short, which is what a first run goes by.
 */
const turns: readonly RegExp[] = [
  /\/test\/infra\//,
  /\/unit\/simulation\/schedules\./,
  /\/integration\/runtime\//,
  /\/integration\/alone\//,
  /\/integration\/documents\/(browser|client)\./,
  /\/integration\//,
  /\/unit\/(auth\/passwords|bundle\/builtin-modules|demo\/registry|store\/lookup-index)\./,
];

const turnOf = ({ moduleId }: TestSpecification): number => {
  const turn = turns.findIndex((path) => path.test(moduleId));
  return turn === -1 ? turns.length : turn;
};

/**
 * Runs the files with a service of their own before those that share one. So each worker has one runtime,
 * which many files have to themselves, one after another, and which the rest of them share then
 * (`worker-runtime.ts`).
 */
export class OwnFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => turnOf(left) - turnOf(right));
  }
}
