import { describe, expect, test } from "vitest";
import { type NameOwner, nameErrors } from "../../../shared/catalog/names.ts";

const ownerOf = (name: string): NameOwner | undefined =>
  name === "TEE" ? "product" : name === "KIT" ? "synset" : undefined;

describe("a name of an account", () => {
  test.each<[NameOwner, string, string]>([
    ["product", "TEE", "already exists (TEE)"],
    ["product", "KIT", "is the name of a synset already (KIT)"],
    ["synset", "KIT", "already exists (KIT)"],
    ["synset", "TEE", "is the SKU of a product already (TEE)"],
  ])("is taken for a %s where %s has it", (kind, name, message) => {
    const code = message.startsWith("already") ? { code: "already_exists" } : {};
    expect(nameErrors(name, "data.0.sku", kind, { ownerOf })).toEqual([
      { path: "data.0.sku", message, ...code },
    ]);
  });

  test.each<NameOwner>(["product", "synset"])("is free for a %s in other letters", (kind) => {
    expect(nameErrors("tee", "data.0.sku", kind, { ownerOf })).toEqual([]);
  });
});
