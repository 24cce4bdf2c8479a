/**
 * Tells the bundler which constants a bundle may leave out where nothing uses them.
 *
 * A bundle that needs anything of a module has all of the module's schemas, since the bundler can't know that making one
 * does nothing else. To make hundreds of them takes a function more time than to load all of its other code. Here, a
 * module's constants do nothing but be made. So every call in a constant is marked as pure. A constant with a function in it
 * is left as it is: what functions call, they may call for what it does.
 *
 * The formatter sees to it that a module's statements, and the last lines of these, begin at the beginning of a line.
 */

/** A constant of a module, from its beginning to its end. */
const constant = /^(?:export )?const [^;]*?=(?:.*;$|[\s\S]*?^\S.*;$)/gm;

const functions = /=>|\bfunction\b|\bawait\b/;

/** What may look like a call and is none: text, comments, regular expressions. Behind them, how a call begins. */
const token = new RegExp(
  [
    /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/,
    /\/\/.*|\/\*[\s\S]*?\*\//,
    /\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//,
    /(?<![\w$.])((?:new )?[A-Za-z_$][\w$.]*\()/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** The text of a module, with the calls in its constants marked. */
export const withPureConstants = (module: string): string =>
  module.replace(constant, (code) => {
    if (functions.test(code)) return code;
    return code.replace(token, (found, call?: string) =>
      call === undefined ? found : `/* @__PURE__ */ ${found}`,
    );
  });
