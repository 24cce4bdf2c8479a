import { BaseSequencer, type TestSpecification } from "vitest/node";

const isOwn = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/integration/alone/");

/**
 * Runs the files with a service of their own before those that share one. So each worker has one runtime, which many files
 * have to themselves, one after another, and which the rest of them share then (`worker-runtime.ts`).
 */
export class OwnFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isOwn), ...sorted.filter((file) => !isOwn(file))];
  }
}
