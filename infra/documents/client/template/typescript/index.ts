/** A typed client of the order, inventory and warehouse service. README.md shows how to use it. */
import { calls, type Options } from "./calls.ts";
import type { paths } from "./schema.ts";

export type { Options } from "./calls.ts";
export { ServiceError, type WrongPlace } from "./failure.ts";
export { events, type FeedQuery, type Following } from "./feed.ts";
export { type PageQuery, records } from "./pages.ts";
export type { Retries } from "./retries.ts";
export type * from "./schema.ts";
export { type DeliveredEvent, type ReceivedHeaders, SignatureError, verifyWebhook } from "./signature.ts";

/** The paths below a prefix, which they lose. */
type Below<Prefix extends string> = {
  [Path in keyof paths as Path extends `${Prefix}${infer Rest}` ? Rest : never]: paths[Path];
};

/** What an account signs its calls with. */
export interface AccountCredentials {
  readonly accountId: number;
  readonly key: string;
}

/** What a user of the warehouse signs calls with: the user's name, and the warehouse's master key. */
export interface WarehouseCredentials {
  readonly userName: string;
  readonly key: string;
}

/** The OMS, in the name of an account. Paths are those below `/apirest/v4/oms`. */
export const omsClient = ({ accountId, key, ...options }: Options & AccountCredentials) =>
  calls<Below<"/apirest/v4/oms">>(options, {
    prefix: "/apirest/v4/oms",
    credentials: { AccountID: String(accountId), Key: key },
  });

/** The WMS, in the name of a user of the warehouse. Paths are those below `/apirest/v4/wms`. */
export const wmsClient = ({ userName, key, ...options }: Options & WarehouseCredentials) =>
  calls<Below<"/apirest/v4/wms">>(options, {
    prefix: "/apirest/v4/wms",
    credentials: { userName, Key: key },
  });

type V2 = Below<"/apiv2">;

/** v2 and Pro, in the name of an account. Paths are those below `/apiv2`, without those of mobile devices. */
export const v2Client = ({ accountId, key, ...options }: Options & AccountCredentials) =>
  calls<Omit<V2, Extract<keyof V2, `/mobile-${string}`>>>(options, {
    prefix: "/apiv2",
    credentials: { AccountID: String(accountId), Authorization: key },
  });

export type OmsClient = ReturnType<typeof omsClient>;
export type WmsClient = ReturnType<typeof wmsClient>;
export type V2Client = ReturnType<typeof v2Client>;
