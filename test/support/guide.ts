/** The pages of the operators' guide, and the commands that they show. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { allCommands } from "./store/operator.ts";

const root = join(import.meta.dirname, "../..");
export const guide = join(root, "docs/operators");

/** Each page, by its path in the repository. */
export const pages = ["docs/operators.md", ...readdirSync(guide).map((name) => `docs/operators/${name}`)].map(
  (path) => ({ path, text: readFileSync(join(root, path), "utf8") }),
);

const names = allCommands();

/** The commands of a page as it shows them: after `npm run operator --`, or by their names. */
function linesIn(text: string): readonly string[] {
  const joined = text.replaceAll(/ \\\n\s*/g, " ");
  const whole = [...joined.matchAll(/npm run operator -- ([^`\n]+)/g)].map(([, line = ""]) => line);
  const short = [...joined.matchAll(/`([^`\n]+)`/g)].flatMap(([, line = ""]) => {
    const [command = "", subcommand = "", value] = line.split(" ");
    const isCommand =
      names.has(`${command} ${subcommand}`) || (names.has(command) && subcommand.startsWith("--"));
    return isCommand && value !== undefined ? [line] : [];
  });
  return [...whole, ...short].map((line) => line.replace(/\s+#.*$/, ""));
}

/**
 * The commands of the guide, in its order.
 * @param examples values for what a command is shown with in capitals
 */
export const commandsOfGuide = (examples: Readonly<Record<string, string>>) =>
  pages.flatMap(({ path, text }) =>
    linesIn(text).map((line) => ({
      path,
      line,
      words: [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain = ""]) => quoted ?? examples[plain] ?? plain,
      ),
    })),
  );

/** Blocks of code of a page, and the code within its lines. */
function codeIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => {
    const indent = Math.min(...[...block.matchAll(/^ +/gm)].map(([spaces]) => spaces.length));
    return block.replaceAll(new RegExp(`^ {${indent}}`, "gm"), "");
  });
  return [...blocks, ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, line = ""]) => line)];
}

/** Programs of others, with what they are to do. */
const others =
  /(?<![\w-])(?:aws [a-z0-9-]+ [a-z-]+|npx cdk [a-z]+|git [a-z]+|npm ci|openssl [a-z]+|curl)(?![\w/])/g;

/** The code of the guide that calls programs of others: as it stands there, and what it calls. */
export const shellOfGuide = pages.flatMap(({ path, text }) =>
  codeIn(text).flatMap((code) => {
    const calls = (code.match(others) ?? []).map(String);
    return calls.length === 0 ? [] : [{ page: basename(path, ".md"), code, calls }];
  }),
);

/** What a page names as not rehearsed, in the sentence or list item that begins so. */
export const notRehearsed = (page: string): readonly string[] =>
  pages
    .filter(({ path }) => basename(path, ".md") === page)
    .flatMap(({ text }) => text.match(/Not rehearsed.*?(?=\.\s|\n- |\n\n)/gs) ?? [])
    .flatMap((sentence) => [...sentence.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code));
