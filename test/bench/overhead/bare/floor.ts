/** Nothing but the client that every function needs: what no function can load faster than. */
import { client } from "./client.ts";

export const handler = async () => client.config.region();
