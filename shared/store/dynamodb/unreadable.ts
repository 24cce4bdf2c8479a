/** Something is stored that can't be read as what it ought to be. */
export class Unreadable extends Error {
  override readonly name: string = "Unreadable";
}
