import { fallbackContract } from "../shared/http/endpoint.ts";
import { notFoundLambda } from "../shared/http/lambda.ts";

export const fallback = fallbackContract;

export const handler = notFoundLambda();
