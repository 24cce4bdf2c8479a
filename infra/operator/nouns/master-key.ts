/** The warehouse's master key, which all warehouse users send. */
import * as z from "zod/mini";
import { newKey } from "../../../shared/auth/secrets.ts";
import { reply } from "../cli/answer.ts";
import { defineCommand, type Noun } from "../cli/command.ts";
import { putMasterKey } from "../registry.ts";

export const masterKey: Noun = {
  name: "master-key",
  summary: "The key that all warehouse users send",
  commands: [
    defineCommand({
      words: "rotate",
      summary: "Makes a new master key, and prints it once",
      about: ["There is none at first. The old key is refused from the next call on."],
      examples: ["master-key rotate --yes"],
      tables: ["identity"],
      values: z.object({}),
      confirms: () => "All warehouse users need the new key at once. Go on?",
      run: async ({ db }) => {
        const key = newKey();
        await putMasterKey(db, key);
        return reply(`Key ${key}\nThe key is shown only now.`, { key });
      },
    }),
  ],
};
