/** A command that is invalid or cannot run. The operator sees only its message. */
export class Usage extends Error {}
