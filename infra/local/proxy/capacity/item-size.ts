import { isObject } from "../../json.ts";

/** Attributes in DynamoDB's JSON, by name. */
export type Item = Readonly<Record<string, unknown>>;

/**
 * Bytes of an item by DynamoDB's rules: its attributes' names and values. A missing item has 0 bytes. AWS
 * documents the size of a number as approximate, so a number may be a byte off.
 */
export const sizeOfItem = (item: Item | undefined): number =>
  item === undefined
    ? 0
    : sum(Object.entries(item), ([name, value]) => sizeOfText(name) + sizeOfValue(value));

/** A list or a map takes this many bytes, even when it is empty. */
const containerBytes = 3;

/** The size of every element of a list or map in addition to its value. */
const elementBytes = 1;

const sizeOfValue = (value: unknown): number => {
  const [type, content] = Object.entries(isObject(value) ? value : {})[0] ?? [];
  switch (type) {
    case "S":
      return sizeOfText(String(content));
    case "N":
      return sizeOfNumber(String(content));
    case "B":
      return Buffer.from(String(content), "base64").length;
    case "BOOL":
    case "NULL":
      return 1;
    case "SS":
    case "NS":
    case "BS":
      return sum(elementsOf(content), (element) => sizeOfValue({ [type.slice(0, 1)]: element }));
    case "L":
      return containerBytes + sum(elementsOf(content), (element) => elementBytes + sizeOfValue(element));
    case "M":
      return containerBytes + sizeOfMap(content);
    default:
      throw new Error(`DynamoDB has no attribute type ${type}`);
  }
};

const sizeOfMap = (content: unknown): number => {
  const entries = Object.entries(isObject(content) ? content : {});
  return sizeOfItem(Object.fromEntries(entries)) + elementBytes * entries.length;
};

/** A byte for each two significant digits, one for the number, and one for a sign. */
const sizeOfNumber = (text: string): number => {
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[^0-9]/g, "")
    .replace(/^0+|0+$/g, "");
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith("-") ? 1 : 0);
};

const sizeOfText = (text: string): number => Buffer.byteLength(text, "utf8");

const elementsOf = (content: unknown): readonly unknown[] => (Array.isArray(content) ? content : []);

const sum = <T>(elements: readonly T[], sizeOf: (element: T) => number): number =>
  elements.reduce((total, element) => total + sizeOf(element), 0);
