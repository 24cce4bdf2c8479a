import * as z from "zod/mini";
import { manufactureOrder } from "./manufacture-order.ts";

/** A manufacture order as clients see it: all fields except its account and its version. */
export const manufactureRecord = z.omit(manufactureOrder, { account_id: true, version: true });
