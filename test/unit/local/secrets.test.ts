import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { secretValues } from "../../../infra/local/data/secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "secrets-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const seal = { name: "seal", arn: "arn:aws:secretsmanager:us-east-1:000000000000:secret:seal", length: 64 };
const other = { ...seal, name: "other", arn: `${seal.arn}-other`, length: 10 };

describe("the values of secrets", () => {
  test("are letters and digits, as many as the template asks for", () => {
    const values = secretValues([seal, other], undefined);

    expect(values.get(seal.arn)).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(values.get(other.arn)).toMatch(/^[A-Za-z0-9]{10}$/);
  });

  test("are other ones at every start", () => {
    expect(secretValues([seal], undefined)).not.toEqual(secretValues([seal], undefined));
  });

  test("are kept in the data directory, which may not be there yet, for their owner's eyes only", () => {
    const dataDir = join(folder, "data");

    const first = secretValues([seal], dataDir);
    const second = secretValues([seal, other], dataDir);
    const third = secretValues([seal, other], dataDir);

    expect(second.get(seal.arn)).toBe(first.get(seal.arn));
    expect(third).toEqual(second);
    expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  test("are not guessed if the file is damaged", () => {
    const file = join(folder, "secrets.json");
    writeFileSync(file, "[");

    expect(() => secretValues([seal], folder)).toThrow("secrets.json is not as expected");
    expect(readFileSync(file, "utf8")).toBe("[");
  });
});
