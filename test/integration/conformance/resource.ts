/**
 * What a list, a bulk create, a PATCH and a reference do for every kind of record. A kind is described once,
 * as a `Resource`, and `conforms` derives the tests: see `conforms.ts`. The file of a kind in `catalog`,
 * `inbound`, `registries` and `serials` tests only what is special to it.
 */
import { expect } from "vitest";
import type { RequestSchema } from "../../../shared/http/endpoint.ts";
import type { NewProduct } from "../../support/business/world.ts";
import { type Answer, type Client, listAt } from "../../support/http/client.ts";
import type { Owner } from "../../support/records/flows.ts";
import type { Fields, Limits } from "./wrong-values.ts";

/** An account that records are created in; `store_id` is a store of its own. */
export interface Account extends Owner {
  readonly oms: Client;
  readonly store_id: number;
}

/** A wrong reference: the fields that hold it, its path in the record, and the message. */
export type WrongReference = readonly [field: Fields, path: string, message: string];

/** Records of one account. Whatever they refer to is stored already. */
export interface Samples {
  /** The path of the collection. */
  readonly path: string;
  /** The path of the list, if it differs. */
  readonly list?: string;
  /** A new, valid record with the required fields alone. */
  readonly record: (more?: Fields) => Fields;
  /** The product that the records refer to. */
  readonly product?: NewProduct;
  /** A value for every optional field. */
  readonly optional?: Fields;
  /** References to what the account has, and the messages that another account gets for them. */
  readonly references: readonly WrongReference[];
  /** Records that break a rule of the kind beyond the limits of its fields. */
  readonly wrong?: readonly WrongReference[];
  /** Fields that look wrong and are not, and what the answer holds if that is not what was sent. */
  readonly accepted?: readonly (readonly [sent: Fields, kept?: Fields])[];
}

export interface Resource {
  /** What a record is called in messages. */
  readonly title: string;
  readonly create: { readonly request: RequestSchema };
  /** What a record may hold; see `limitsOf`. */
  readonly limits: Limits;
  readonly prepare: (account: Account) => Promise<Samples>;
  /**
   * The whole answer for a record with the required fields alone; without it, no test lists or reads the
   * records.
   */
  readonly answered?: (sent: Fields, product: NewProduct | undefined) => Fields;
  /** The field that numbers the records. */
  readonly id?: string;
  /** The query that lists the oldest record first, if there is one. */
  readonly oldestFirst?: string;
  /** How many records one call creates in the test of order and pages. */
  readonly count?: number;
  /** What identifies a record in the path of a read, and the message if nothing has this identifier. */
  readonly read?: {
    readonly by: readonly string[];
    readonly missing: (identifier: string) => string;
    /** Whether a name identifies a record, so that any text may. */
    readonly named?: boolean;
  };
  /** The field whose value is unique in the account, and the message if a record has it already. */
  readonly unique?: { readonly field: string; readonly taken: (record: Fields) => string };
  readonly wrongReferences: readonly WrongReference[];
  readonly change?: {
    readonly request: RequestSchema;
    /**
     * The limits of fields that a PATCH requires, or that a create does not have. All others are optional.
     */
    readonly limits: Limits;
    /** The fields by which a PATCH finds a record. */
    readonly keys: readonly (readonly string[])[];
    /** Keys of no record. */
    readonly unknown: readonly Fields[];
    /** How the message names the record that a key does not find. */
    readonly missing: (key: Fields) => string;
    /**
     * New values, each of which changes the record alone. Other fields that follow are in the second place.
     */
    readonly to: readonly (readonly [sent: Fields, follows?: Fields])[];
    /** What null makes of fields, if not what they are without a value at creation. */
    readonly cleared?: Fields;
  };
  /** Lists that gain a record with each that is created. */
  readonly counted?: readonly string[];
  /** Lists whose records change with each that is created. */
  readonly affected?: readonly string[];
}

export const bulk = (
  client: Client,
  method: "post" | "patch",
  path: string,
  data: readonly unknown[],
): Promise<Answer> => client[method](path, { data });

export const recordsOf = ({ body }: Answer): readonly Fields[] => listAt(body, "data").map(Object);

export const pick = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, record[name]]));

export const isoTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
