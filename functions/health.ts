import { healthContract, healthLambda } from "../shared/http/health.ts";

export const probe = healthContract;

export const handler = healthLambda();
