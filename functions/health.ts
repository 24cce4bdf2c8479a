import { healthContract, healthLambda } from "../shared/http/health.ts";

export const healthCheck = healthContract;

export const handler = healthLambda();
