import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { recordPerRow } from "../../../infra/import/each-once.ts";
import { importRecords } from "../../../infra/operator/import/importing.ts";
import { readRows } from "../../../infra/operator/import/rows.ts";
import { temporaryFiles } from "../../support/runtime/files.ts";

const fileOf = temporaryFiles();

test("what is imported is the file as it was checked, even if it changes meanwhile", async () => {
  const file = fileOf("changing.csv", "sku", "MUG", "TEE");
  const stored: unknown[] = [];
  const session = {
    note: () => undefined,
    ifInterrupted: () => undefined,
    progress: () => {
      writeFileSync(file, "sku\nCAP\n");
      return () => undefined;
    },
  };

  const { text } = await importRecords(session, file, {
    title: "products",
    updated: "accepted as recounts",
    once: { field: "sku", rule: "a product may occur once" },
    read: (name) =>
      recordPerRow(readRows(name, { known: ["sku"], required: ["sku"] }), ({ row, fields }) => ({
        name: { text: String(fields["sku"]), row },
        read: { sound: fields["sku"] },
      })),
    store: async (records) => {
      stored.push(...records);
      return { created: records.length, unchanged: 0, refused: [] };
    },
  });

  expect(stored).toEqual(["MUG", "TEE"]);
  expect(text).toContain("Created 2, accepted as recounts 0, unchanged 0,");
});
