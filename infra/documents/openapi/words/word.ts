/**
 * The meaning of a field, as one or two sentences, and a value that it may have. A list, an object and a time
 * that is answered need no example.
 */
export interface Word {
  readonly description: string;
  readonly example?: string | number | boolean | null | undefined;
}

/** The words of fields, by their names. */
export type Words = Readonly<Record<string, readonly [description: string, example?: Word["example"]]>>;
