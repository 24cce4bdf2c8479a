import * as z from "zod/mini";
import type { AccountContext } from "../../runtime/context.ts";
import type { EndpointContract } from "../../runtime/contract.ts";
import type { Access } from "../../store/access.ts";
import type { Page } from "../../store/lists/pages.ts";
import { defineEndpointWithoutBody } from "../define-without-body.ts";
import type { BodySchema, RequestSchema } from "../endpoint.ts";
import { dataOf } from "../responses.ts";
import {
  type ChangePage,
  changesBody,
  changesOf,
  listBody,
  listOf,
  type PageQuery,
  wholeList,
  wholeQuery,
} from "./pagination.ts";

/** The contract of an OMS endpoint that reads. */
interface Reading<I extends RequestSchema, R extends BodySchema> {
  readonly path: EndpointContract["path"];
  readonly summary: string;
  readonly request: I;
  /** A record as clients see it. */
  readonly record: R;
  /** Tables beyond what authentication needs. */
  readonly access?: Access;
  /** Whether read-only keys are rejected. */
  readonly forWriters?: boolean;
}

const named = () => z.string().check(z.trim(), z.normalize("NFC"), z.minLength(1), z.maxLength(255));

/** A path parameter that names a record, normalized as names are stored. Blank values are rejected. */
export const nameInPath = named();

/** A path parameter that may be the record's id, so that clients may send a number. */
export const idOrName = named();

/** Defines an OMS endpoint that returns one record. `read` throws a Problem if the record does not exist. */
export const defineRead = <I extends RequestSchema, R extends BodySchema>(
  { record, ...contract }: Reading<I, R>,
  read: (request: z.output<I>, context: AccountContext) => Promise<z.input<R>>,
) =>
  defineEndpointWithoutBody(
    { ...contract, method: "GET", auth: "oms", response: dataOf(record) },
    async (request, context) => ({ data: await read(request, context) }),
  );

type ListRequest = z.ZodMiniObject<{ readonly query: z.ZodMiniType<PageQuery> }>;

/** Defines an OMS endpoint that returns a page of records and their total number. */
export const defineList = <I extends ListRequest, R extends BodySchema>(
  { record, ...contract }: Reading<I, R>,
  read: (request: z.output<I>, context: AccountContext) => Promise<Page<z.input<R>>>,
) =>
  defineEndpointWithoutBody(
    { ...contract, method: "GET", auth: "oms", response: listOf(record) },
    async (request, context) => listBody(await read(request, context), request.query),
  );

/** Defines an OMS endpoint that returns a page of records: of all, or of those that changed since a time. */
export const defineChangeList = <I extends ListRequest, R extends BodySchema>(
  { record, access, ...contract }: Reading<I, R>,
  read: (request: z.output<I>, context: AccountContext) => Promise<ChangePage<z.input<R>>>,
) =>
  defineEndpointWithoutBody(
    {
      ...contract,
      method: "GET",
      auth: "oms",
      response: changesOf(record),
      access: { ...access, events: "read" },
    },
    async (request, context) => changesBody(await read(request, context), request.query),
  );

/** Defines an OMS endpoint for a short list: it returns all records unless a page is requested. */
export const defineWholeList = <R extends BodySchema>(
  { record, ...contract }: Omit<Reading<RequestSchema, R>, "request">,
  read: (context: AccountContext) => Promise<readonly z.input<R>[]>,
) =>
  defineEndpointWithoutBody(
    {
      ...contract,
      method: "GET",
      auth: "oms",
      request: z.object({ query: z.object(wholeQuery) }),
      response: listOf(record),
    },
    async ({ query }, context) => wholeList(await read(context), query),
  );
