/** A stored item does not have its expected form. */
export class Unreadable extends Error {
  override readonly name: string = "Unreadable";
}
