const lineFeed = 0x0a;

/**
 * Decodes the chunks of a file one after another, and its end if there is no chunk. Without this check,
 * invalid bytes would be decoded to other characters.
 * @throws Error that names the first line with invalid bytes
 */
export function utf8Decoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  return (chunk) => {
    let text = "";
    try {
      if (chunk === undefined) return decoder.decode();
      for (let begin = 0; begin < chunk.length; ) {
        const found = chunk.indexOf(lineFeed, begin);
        const end = found === -1 ? chunk.length : found + 1;
        text += decoder.decode(chunk.subarray(begin, end), { stream: true });
        if (found !== -1) line += 1;
        begin = end;
      }
      return text;
    } catch {
      throw new Error(
        `line ${line} is not UTF-8; nothing of the file was stored. Save the file as UTF-8 (Excel: "CSV UTF-8")`,
      );
    }
  };
}
