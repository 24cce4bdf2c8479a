/** DynamoDB's values: equality, order and size. */

import { isDeepStrictEqual } from "node:util";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export function isSameValue(left: AttributeValue, right: AttributeValue): boolean {
  if (left.S !== undefined) return left.S === right.S;
  if (left.N !== undefined) return right.N !== undefined && Number(left.N) === Number(right.N);
  return isDeepStrictEqual(left, right);
}

/** Texts by their UTF-8 bytes, which differs from JavaScript's order beyond the basic plane only. */
export function compareTexts(left: string, right: string): number {
  const common = Math.min(left.length, right.length);
  for (let position = 0; position < common; position += 1) {
    const [one, other] = [left.charCodeAt(position), right.charCodeAt(position)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return left.length - right.length;
}

/** Surrogates are parts of characters beyond all others. */
const rankOf = (code: number): number => (code >= 0xd800 && code < 0xe000 ? code + 0x2000 : code);

/** Undefined if the values are of different types, or of one without an order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined && right.S !== undefined) return compareTexts(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return Number(left.N) - Number(right.N);
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(left.B, right.B);
  return undefined;
}

export const textStartsWith = (
  whole: AttributeValue | undefined,
  start: AttributeValue | undefined,
): boolean => whole?.S !== undefined && start?.S !== undefined && whole.S.startsWith(start.S);

/** The bytes that DynamoDB counts for a value, roughly for numbers. */
export function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.B !== undefined) return value.B.length;
  if (value.L !== undefined) return value.L.reduce((sum, part) => sum + 1 + bytesOf(part), 3);
  if (value.M !== undefined) return 3 + bytesOfItem(value.M, 1);
  return 1;
}

export function bytesOfItem(item: Readonly<Record<string, AttributeValue>>, perAttribute = 0): number {
  let sum = 0;
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) sum += Buffer.byteLength(name) + perAttribute + bytesOf(value);
  }
  return sum;
}
