/**
 * DynamoDB's expressions, as far as this service writes them: conditions, updates, key conditions and
 * projections over top-level attributes. What is not among them is refused, as is a placeholder that nothing
 * uses: DynamoDB refuses that, too.
 */
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { compareValues, isSameValue, textStartsWith } from "./values.ts";

export type Item = Readonly<Record<string, AttributeValue>>;

/** A `ValidationException`. `attempt` of the store turns it into the SDK's error. */
export class Refused extends Error {}

/** The placeholders of one request. An expression marks those that it uses. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>;
  readonly #values: Readonly<Record<string, AttributeValue>>;
  readonly #unused: Set<string>;

  constructor(names: Readonly<Record<string, string>> = {}, values: Item = {}) {
    this.#names = names;
    this.#values = values;
    this.#unused = new Set([...Object.keys(names), ...Object.keys(values)]);
  }

  name(token: string): string {
    if (!token.startsWith("#")) return token;
    const name = this.#names[token];
    if (name === undefined) throw new Refused(`${token} is not defined`);
    this.#unused.delete(token);
    return name;
  }

  value(token: string): AttributeValue {
    const value = this.#values[token];
    if (value === undefined) throw new Refused(`${token} is not defined`);
    this.#unused.delete(token);
    return value;
  }

  /** @throws Refused if an expression left a placeholder unused */
  expectUsed(): void {
    const [unused] = this.#unused;
    if (unused !== undefined) throw new Refused(`${unused} is unused in expressions`);
  }
}

type Condition = (item: Item | undefined) => boolean;
type Operand = (item: Item | undefined) => AttributeValue | undefined;

/** The tokens of each expression that was read: the service writes few different ones. */
const known = new Map<string, readonly string[]>();

function tokensOf(text: string): readonly string[] {
  const tokens = known.get(text) ?? text.match(/<=|>=|[=<(),+]|[#:]?[A-Za-z0-9_]+|\S/g) ?? [];
  known.set(text, tokens);
  return tokens;
}

/** Reads an expression token by token. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #placeholders: Placeholders;
  #position = 0;

  constructor(text: string, placeholders: Placeholders) {
    this.#tokens = tokensOf(text);
    this.#placeholders = placeholders;
  }

  get isDone(): boolean {
    return this.#position >= this.#tokens.length;
  }

  /** Takes the next token if it is one of `wanted`. */
  take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#position];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#position += 1;
    return token;
  }

  expect(...wanted: readonly string[]): string {
    const token = this.take(...wanted);
    if (token === undefined) throw new Refused(`unexpected ${this.#tokens[this.#position] ?? "end"}`);
    return token;
  }

  /** The name of an attribute. */
  path(): string {
    return this.#placeholders.name(this.#next());
  }

  #next(): string {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw new Refused("the expression ends too soon");
    this.#position += 1;
    return token;
  }

  /** A value, an attribute or a function of such. */
  operand(): Operand {
    if (this.take("if_not_exists") !== undefined) {
      const [name, otherwise] = this.#pair(
        () => this.path(),
        () => this.operand(),
      );
      return (item) => item?.[name] ?? otherwise(item);
    }
    if (this.take("list_append") !== undefined) {
      const [first, second] = this.#pair(
        () => this.operand(),
        () => this.operand(),
      );
      return (item) => appended(first(item), second(item));
    }
    const token = this.#next();
    if (token.startsWith(":")) {
      const value = this.#placeholders.value(token);
      return () => value;
    }
    const name = this.#placeholders.name(token);
    return (item) => item?.[name];
  }

  #pair<A, B>(first: () => A, second: () => B): [A, B] {
    this.expect("(");
    const left = first();
    this.expect(",");
    const right = second();
    this.expect(")");
    return [left, right];
  }

  condition(): Condition {
    const parts = [this.#all()];
    while (this.take("OR") !== undefined) parts.push(this.#all());
    return (item) => parts.some((part) => part(item));
  }

  #all(): Condition {
    const parts = [this.#one()];
    while (this.take("AND") !== undefined) parts.push(this.#one());
    return (item) => parts.every((part) => part(item));
  }

  #one(): Condition {
    if (this.take("(") !== undefined) {
      const inner = this.condition();
      this.expect(")");
      return inner;
    }
    const test = this.take("attribute_exists", "attribute_not_exists");
    if (test !== undefined) {
      this.expect("(");
      const name = this.path();
      this.expect(")");
      return (item) => (item?.[name] !== undefined) === (test === "attribute_exists");
    }
    if (this.take("begins_with") !== undefined) {
      const [whole, start] = this.#pair(
        () => this.operand(),
        () => this.operand(),
      );
      return (item) => textStartsWith(whole(item), start(item));
    }
    return this.#comparison();
  }

  #comparison(): Condition {
    const left = this.operand();
    if (this.take("BETWEEN") !== undefined) {
      const from = this.operand();
      this.expect("AND");
      const to = this.operand();
      return (item) => holds(left(item), ">=", from(item)) && holds(left(item), "<=", to(item));
    }
    const operator = this.expect("=", "<", "<=", ">=");
    const right = this.operand();
    return (item) => holds(left(item), operator, right(item));
  }
}

function holds(
  left: AttributeValue | undefined,
  operator: string,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return false;
  if (operator === "=") return isSameValue(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    default:
      return order >= 0;
  }
}

const appended = (first: AttributeValue | undefined, second: AttributeValue | undefined): AttributeValue => {
  if (first?.L === undefined || second?.L === undefined) throw new Refused("list_append takes lists");
  return { L: [...first.L, ...second.L] };
};

function plus(left: AttributeValue | undefined, right: AttributeValue | undefined): AttributeValue {
  if (left?.N === undefined || right?.N === undefined)
    throw new Refused("An operand in the update expression has an incorrect data type");
  const isWhole = /^-?\d+$/.test(left.N) && /^-?\d+$/.test(right.N);
  return { N: isWhole ? String(BigInt(left.N) + BigInt(right.N)) : String(Number(left.N) + Number(right.N)) };
}

/** A condition, filter or key condition. */
export function conditionOf(text: string, placeholders: Placeholders): Condition {
  const reader = new Reader(text, placeholders);
  const condition = reader.condition();
  if (!reader.isDone) throw new Refused(`the expression does not end: ${text}`);
  return condition;
}

/** The names of a projection. */
export function projectionOf(text: string, placeholders: Placeholders): readonly string[] {
  const reader = new Reader(text, placeholders);
  const names = [reader.path()];
  while (reader.take(",") !== undefined) names.push(reader.path());
  if (!reader.isDone) throw new Refused(`the projection does not end: ${text}`);
  return names;
}

/** An update of an item. All operands are of the item as it was. */
export interface Update {
  readonly names: readonly string[];
  readonly apply: (item: Item) => Item;
}

export function updateOf(text: string, placeholders: Placeholders): Update {
  const reader = new Reader(text, placeholders);
  const changes = new Map<string, (item: Item) => AttributeValue | undefined>();
  const change = (name: string, value: (item: Item) => AttributeValue | undefined): void => {
    if (changes.has(name)) throw new Refused(`two document paths overlap: ${name}`);
    if (name === "pk" || name === "sk") throw new Refused(`${name} is part of the key`);
    changes.set(name, value);
  };
  while (!reader.isDone) {
    const clause = reader.expect("SET", "REMOVE", "ADD");
    do {
      const name = reader.path();
      if (clause === "REMOVE") change(name, () => undefined);
      else if (clause === "SET") change(name, assigned(reader));
      else {
        const value = reader.operand();
        change(name, (item) => plus(item[name] ?? { N: "0" }, value(item)));
      }
    } while (reader.take(",") !== undefined);
  }
  const apply = (item: Item): Item => {
    const after: Record<string, AttributeValue> = { ...item };
    for (const [name, value] of changes) {
      const next = value(item);
      if (next === undefined) delete after[name];
      else after[name] = next;
    }
    return after;
  };
  return { names: [...changes.keys()], apply };
}

function assigned(reader: Reader): (item: Item) => AttributeValue {
  reader.expect("=");
  const left = reader.operand();
  const right = reader.take("+") === undefined ? undefined : reader.operand();
  return (item) => {
    const value = left(item);
    if (right !== undefined) return plus(value, right(item));
    if (value === undefined) throw new Refused("an attribute of the update does not exist in the item");
    return value;
  };
}
