const dayLength = 86_400_000;

/** The day (UTC) of an ISO 8601 timestamp or date, counted from 1970-01-01. */
export const dayOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / dayLength);
