import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue as Told } from "aws-lambda";
import type { RawItem } from "./reads.ts";

/** Reads an item, or its key, as Lambda tells it in JSON; it looks like one that was read of the table then. */
export const itemOf = (image: Readonly<Record<string, Told>>): RawItem => unmarshall(decodedAll(image));

/** JSON carries bytes as base64, which `unmarshall` would take for the bytes themselves. */
const decoded = (told: Told): AttributeValue => {
  if (told.B !== undefined) return { B: bytesOf(told.B) };
  if (told.BS !== undefined) return { BS: told.BS.map(bytesOf) };
  if (told.L !== undefined) return { L: told.L.map(decoded) };
  if (told.M !== undefined) return { M: decodedAll(told.M) };
  return told;
};

const decodedAll = (told: Readonly<Record<string, Told>>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(told).map(([name, value]) => [name, decoded(value)]));

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));
