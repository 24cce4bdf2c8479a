/**
 * Finds sent fields that the call does not read, and read-only fields sent with a different value
 * (docs/decisions.md, Unknown fields and parameters). The known fields derive from the call's schemas.
 */
import { closestMatch } from "leven";
import * as z from "zod/mini";
import { isDeepEqual } from "../../common/deep-equal.ts";
import { isBlank } from "../../common/fields.ts";
import { type Placed, placed } from "../../common/placed.ts";
import * as primitive from "../../common/primitives.ts";
import { type FieldError, maxListed } from "../../common/problem.ts";
import { truncate } from "../../common/strings.ts";
import { adviceFor, maxNameLength, plain } from "./parameters.ts";
import { elementsOf, fieldOf, namesOf, type Schema, type Shape, shapesOf } from "./schemas.ts";
import { required } from "./validation.ts";

/** A part of a body: what the call accepts there, and what responses show there. */
interface BodyPart {
  readonly taken: readonly Schema[];
  readonly shown: readonly Schema[];
  readonly path: string;
}

/** The fields beside `data` in a response. A client may send back a whole response. */
const besides = z.object({
  metadata: primitive.unknown,
  pagination: primitive.unknown,
  warnings: primitive.unknown,
  warnings_total: primitive.unknown,
});

/** What answers show: a call's own, and these fields of other calls' records. */
export function answersOf(response: Schema, alsoShown: readonly string[] = []): readonly Schema[] {
  if (alsoShown.length === 0) return [response];
  const others = z.object(Object.fromEntries(alsoShown.map((name) => [name, primitive.unknown])));
  return [response, z.object({ data: others }), z.object({ data: z.array(others) })];
}

/** The warnings of one answer about ignored fields. */
export interface Warnings {
  /** The first 100 of them. */
  readonly warnings: readonly FieldError[];
  readonly total: number;
}

/**
 * A warning for each field of a body that the call does not take. Fields of the record that `answers` show
 * are skipped: they are known and read-only, and a client may send back what it has read. `says` is the
 * warning's text about the field, before the field that was probably meant.
 */
export function unreadFields(
  body: unknown,
  taken: Schema,
  answers: readonly Schema[],
  says = ignored,
): Warnings {
  const warnings: FieldError[] = [];
  let total = 0;
  // A body may hold a hundred thousand of them. The nearest known name is searched only for those listed.
  for (const unread of unreadIn(body, wholeBody(taken, answers))) {
    if (total < maxListed) warnings.push(warning(unread, says));
    total += 1;
  }
  return { warnings, total };
}

/** The fields of a record are shown at the same path, or below `data` if the call takes them without it. */
function wholeBody(taken: Schema, answers: readonly Schema[]): BodyPart {
  const takesData = fieldOf(shapesOf(taken), "data").length > 0;
  const records = answers.flatMap((answer) => fieldOf(shapesOf(answer), "data"));
  return { taken: [taken], shown: takesData ? [...answers, besides] : records, path: "" };
}

/**
 * Adds to the errors of a rejected body what its misspelled fields probably meant: to the `is required` error
 * of that field, if there is one, or else as an error of its own.
 */
export function withMistaken(
  errors: readonly FieldError[],
  body: unknown,
  taken: Schema,
  answers: readonly Schema[],
): readonly FieldError[] {
  const mistaken = new Map<string, string>();
  const others: FieldError[] = [];
  let compared = 0;
  for (const unread of unreadIn(body, wholeBody(taken, answers))) {
    if (compared === maxListed) break;
    compared += 1;
    const meant = meantBy(unread);
    if (meant === undefined) continue;
    const path = below(unread.parent, meant);
    const isMissing = errors.some((error) => error.path === path && error.message === required);
    if (isMissing) mistaken.set(path, truncate(unread.name, maxNameLength));
    else others.push(warning(unread));
  }
  const named = errors.map((error) => {
    const name = mistaken.get(error.path);
    return name === undefined ? error : { ...error, message: `${required}; ${name} was sent in its place` };
  });
  return [...named, ...others];
}

/** The calls that change each read-only field of a record, as the end of a sentence. */
export type ReadOnlyFields = Readonly<Record<string, string>>;

const answered = z.object({ data: primitive.unknown });

/**
 * A warning for each read-only field that a PUT or PATCH sends with another value than the record has. A
 * value that follows from other fields is not among `fields`, because the call itself may have changed it.
 */
export function readOnlyWarnings(
  body: unknown,
  answer: object,
  fields: ReadOnlyFields,
): readonly FieldError[] {
  const [sent, stored] = [body, answer].map((one) => z.safeParse(answered, one).data?.data);
  const records: readonly Placed<unknown>[] = Array.isArray(sent)
    ? placed(sent)
    : [{ value: sent, path: "data" }];
  const ofAnswer: readonly unknown[] = Array.isArray(stored) ? stored : [stored];
  return records.flatMap(({ value, path }, position) => {
    const [asked, has] = [value, ofAnswer[position]].map(
      (value) => z.safeParse(primitive.record, value).data ?? {},
    );
    return Object.entries(fields).flatMap(([name, how]): FieldError[] => {
      const [wanted, kept] = [asked?.[name], has?.[name]];
      if (wanted === undefined || kept === undefined || isBlank(wanted) || isDeepEqual(wanted, kept))
        return [];
      const value = truncate(JSON.stringify(kept), maxNameLength);
      return [{ path: `${path}.${name}`, message: `is read-only and stays ${value}; ${how}` }];
    });
  });
}

/** A field that the call does not read, in the object at `parent`, which accepts the fields of `shapes`. */
interface Unread {
  readonly name: string;
  readonly parent: string;
  readonly shapes: readonly Shape[];
}

const below = (path: string, step: string | number): string => (path === "" ? `${step}` : `${path}.${step}`);

function* unreadIn(value: unknown, { taken, shown, path }: BodyPart): Generator<Unread, void> {
  if (value === null || typeof value !== "object") return;
  const elements = taken.flatMap(elementsOf);
  if (elements.length > 0) {
    if (!Array.isArray(value)) return;
    for (const [position, element] of value.entries())
      yield* unreadIn(element, {
        taken: elements,
        shown: shown.flatMap(elementsOf),
        path: below(path, position),
      });
    return;
  }
  const [shapes, shownShapes] = [taken.flatMap(shapesOf), shown.flatMap(shapesOf)];
  if (shapes.length === 0 || Array.isArray(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const takenHere = fieldOf(shapes, name);
    const shownHere = fieldOf(shownShapes, name);
    if (takenHere.length > 0)
      yield* unreadIn(field, { taken: takenHere, shown: shownHere, path: below(path, name) });
    else if (shownHere.length === 0) yield { name, parent: path, shapes };
  }
}

/** Names that other services give to fields, without case and separators, and what they are called here. */
const otherNames: Readonly<Record<string, string>> = {
  events: "types",
  eventtypes: "types",
  topics: "types",
  qty: "quantity",
  price: "sold_price",
};

/** The field that a client probably meant by an unknown one. */
function meantBy({ name, shapes }: Unread, names = namesOf(shapes)): string | undefined {
  const sent = plain(truncate(name, maxNameLength));
  const maxDistance = Math.max(1, Math.floor(sent.length / 3));
  const nearest = closestMatch(sent, names.map(plain), { maxDistance });
  return names.find((known) => plain(known) === nearest || known === otherNames[sent]);
}

const ignored = "is not a field of this call and was ignored";

/** The warning for a field. It names the field to use instead, if a similar one exists. */
function warning(unread: Unread, says = ignored): FieldError {
  const name = truncate(unread.name, maxNameLength);
  const known = namesOf(unread.shapes);
  const advice = known.includes("page") ? adviceFor(name, known) : undefined;
  const meant = advice === undefined ? meantBy(unread, known) : undefined;
  const instead = meant === undefined ? advice : `did you mean ${meant}?`;
  const message = `${says}${instead === undefined ? "" : `; ${instead}`}`;
  return { path: below(unread.parent, name), message };
}
