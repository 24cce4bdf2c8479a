import { readFileSync } from "node:fs";
import * as z from "zod";
import { LocalProblem } from "./problem.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The schema of parts of a parsed JSON file that are read later. Parsing has proven that they are JSON. */
export const jsonSchema = z.custom<Json>();

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that have values. */
export const withoutUndefined = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> => {
  const stated: Record<string, T> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) stated[name] = value;
  return stated;
};

/** Parses text of an unknown shape; `undefined` if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a JSON file of a known shape. */
export const readJsonFile = <Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> => {
  const parsed = schema.safeParse(parseJson(readText(file)));
  if (!parsed.success) throw new LocalProblem(`${file} is not as expected: ${oneLine(parsed.error)}`);
  return parsed.data;
};

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new LocalProblem(`${file} cannot be read. Synthesize the stacks first.`);
  }
};

/** A schema violation in one line, for messages. */
export const oneLine = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
