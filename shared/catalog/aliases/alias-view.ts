import * as z from "zod/mini";
import { alias } from "./alias.ts";

/** An alias as clients see it. The distribution center is named by its code. */
export const aliasRecord = z.omit(alias, { account_id: true, distribution_center_id: true });
