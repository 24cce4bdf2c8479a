/** Values that are stored compressed, because DynamoDB charges by the size of an item. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** A JSON value, compressed. A quality above 5 takes many times as long, and saves a twentieth. */
export const compressed = (value: unknown, quality = 5): Uint8Array =>
  brotliCompressSync(JSON.stringify(value), { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

/** The value that was compressed. @throws where the bytes are not those of `compressed` */
export const decompressed = (bytes: Uint8Array): unknown =>
  JSON.parse(brotliDecompressSync(bytes).toString());
