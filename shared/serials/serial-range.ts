/** Ranges of serials: docs/decisions.md, Ranges of serials. */

/** The serials from one to another. Both bounds belong to the range. */
export interface SerialRange {
  readonly serial_start: string;
  readonly serial_end: string;
}

/** Text order as in the database: by UTF-8 bytes. JavaScript differs for characters beyond U+FFFF. */
const compare = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** A serial that ends with a number. */
interface Numbered {
  readonly prefix: string;
  /** The number's digits, without leading zeros. There may be more than a JavaScript number can hold. */
  readonly digits: string;
}

/** The serial's text and number. Undefined if it does not end with a number, or if that has leading zeros. */
function splitNumber(serial: string): Numbered | undefined {
  const [, prefix = "", digits = ""] = /^(.*?)(\d+)$/su.exec(serial) ?? [];
  return digits === "" || (digits.length > 1 && digits.startsWith("0")) ? undefined : { prefix, digits };
}

/** The bounds of a range of numbers after one text: `SN9` to `SN10`. Undefined for other bounds. */
function numbersOf({ serial_start, serial_end }: SerialRange) {
  const [start, end] = [splitNumber(serial_start), splitNumber(serial_end)];
  return start === undefined || end === undefined || start.prefix !== end.prefix ? undefined : { start, end };
}

/**
 * What is wrong with the end of a range, as the rest of a sentence; undefined if it is valid. Bounds of the
 * same length are a range of texts, whatever they are. Bounds of different lengths are a range of numbers.
 */
export function rangeError(range: SerialRange): string | undefined {
  const { serial_start, serial_end } = range;
  const isText = serial_start.length === serial_end.length;
  if (!isText && numbersOf(range) === undefined) {
    return "must be as long as serial_start, or differ only in the number at its end, which has no leading zeros (SN9 to SN10)";
  }
  const isBefore = isText ? compare(serial_end, serial_start) < 0 : serial_end.length < serial_start.length;
  return isBefore ? "must not come before serial_start" : undefined;
}

/** Texts of one length, from one to another in text order, both included. */
type Stretch = readonly [from: string, to: string];

/**
 * The stretches in which all serials of a range lie, shortest first; see `rangeError`. A range of texts is
 * one stretch. A range of numbers is one for each length, which also holds serials that the range does not
 * cover.
 */
export function stretchesOf(range: SerialRange): readonly Stretch[] {
  const { serial_start, serial_end } = range;
  const numbers = serial_start.length === serial_end.length ? undefined : numbersOf(range);
  if (numbers === undefined) return [[serial_start, serial_end]];
  const { prefix, digits } = numbers.start;
  const [shortest, longest] = [digits.length, numbers.end.digits.length];
  return Array.from({ length: longest - shortest + 1 }, (_, more): Stretch => {
    const length = shortest + more;
    return [
      more === 0 ? serial_start : `${prefix}${"1".padEnd(length, "0")}`,
      length === longest ? serial_end : prefix + "9".repeat(length),
    ];
  });
}

/**
 * Whether a range covers a serial; see `rangeError`. A range of texts covers the serials of the bounds'
 * length that lie between them in text order. A range of numbers covers its text with each number from the
 * first to the last.
 */
export function covers(range: SerialRange, serial: string): boolean {
  const lies = stretchesOf(range).some(
    ([from, to]) => serial.length === from.length && compare(from, serial) <= 0 && compare(serial, to) <= 0,
  );
  if (!lies || range.serial_start.length === range.serial_end.length) return lies;
  return splitNumber(serial)?.prefix === numbersOf(range)?.start.prefix;
}
