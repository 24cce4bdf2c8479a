/**
 * At most `maxLength` characters of a text quoted in a response. Half a character becomes U+FFFD, because
 * some JSON parsers reject lone surrogates.
 */
export const truncated = (text: string, maxLength: number): string => text.slice(0, maxLength).toWellFormed();

/** The bytes of a record as JSON. DynamoDB counts fewer. */
export const jsonBytes = (record: object): number => Buffer.byteLength(JSON.stringify(record));
