/** The bytes of a record as JSON, which takes more than DynamoDB does. */
export const bytesOf = (record: object): number => Buffer.byteLength(JSON.stringify(record));
