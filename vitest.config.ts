import { defineConfig } from "vitest/config";
import { OwnFirst } from "./test/support/runtime/own-first.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/runtime/synthesis.ts"],
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false } },
      {
        test: {
          name: "infra",
          include: ["test/infra/**/*.test.ts"],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          globalSetup: ["test/support/runtime/database.ts"],
          // The files of a worker share its modules, and with them its service: see `shared-service.ts`.
          isolate: false,
          environment: "./test/support/runtime/worker.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
    maxWorkers: 3,
    sequence: { sequencer: OwnFirst },
  },
});
