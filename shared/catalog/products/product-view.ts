import * as z from "zod/mini";
import { product } from "./product.ts";

/** A product as clients see it: all fields but its account. */
export const productRecord = z.omit(product, { account_id: true });
