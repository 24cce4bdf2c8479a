import * as z from "zod/mini";
import { delivery } from "./delivery.ts";

/** A delivery as the webhook's account sees it. */
export const deliveryRecord = z.omit(delivery, { content: true, expires_at: true });
