/** A command that makes no sense, or can't be carried out. The operator is shown its text alone. */
export class Usage extends Error {}
