/**
 * The text of a file. Without this check, invalid bytes would be decoded to other characters.
 * @throws Error that names the first line with invalid bytes
 */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const encoded = new TextEncoder().encode(decoded);
    const valid = bytes.subarray(
      0,
      bytes.findIndex((byte, position) => byte !== encoded[position]),
    );
    const { length: line } = new TextDecoder().decode(valid).split(/\r\n|\n|\r/);
    throw new Error(
      `line ${line} is not UTF-8; nothing of the file was stored. Save the file as UTF-8 (Excel: "CSV UTF-8")`,
    );
  }
}
