import { fallbackContract, notFoundLambda } from "../shared/http/not-found.ts";

export const fallback = fallbackContract;

export const handler = notFoundLambda();
