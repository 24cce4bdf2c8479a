import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { AttributeValue as StreamValue } from "aws-lambda";
import type { RawItem } from "./reads.ts";

/** Converts an item, or its key, from the JSON of a stream record to the form in which tables return it. */
export const itemOf = (image: Readonly<Record<string, StreamValue>>): RawItem =>
  unmarshall(decodedAll(image));

/** JSON carries bytes as base64, which `unmarshall` would take for the bytes themselves. */
const decode = (value: StreamValue): AttributeValue => {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytesOf) };
  if (value.L !== undefined) return { L: value.L.map(decode) };
  if (value.M !== undefined) return { M: decodedAll(value.M) };
  return value;
};

const decodedAll = (values: Readonly<Record<string, StreamValue>>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decode(value)]));

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));
