import * as z from "zod/mini";
import { product } from "./product.ts";

/** A product as clients see it: all fields but its account and its version. */
export const productRecord = z.omit(product, { account_id: true, version: true });
