import { fallbackContract, notFoundLambda } from "../shared/http/fallback/not-found.ts";

export const fallback = fallbackContract;

export const handler = notFoundLambda();
