import { describe, expect, test } from "vitest";
import { type Assembly, nameOf, resources, text } from "../../apps/assembly.ts";
import { deployedFunctions, only, permissionsOf, tableOf } from "../../apps/deployed.ts";
import { at, members } from "../../apps/json.ts";

/** What holds for the items that keep what users sign in with. */
export const credentialRules = (get: () => Assembly): void => {
  describe("credentials", () => {
    test("are for the functions alone that check passwords or codes", () => {
      const arn = `${nameOf(tableOf(get(), "identity"))}.Arn`;
      const reaching = [...deployedFunctions(get())].filter(([, lambda]) =>
        permissionsOf(get(), lambda).some(
          (permission) =>
            permission.includes(arn) &&
            (permission.includes("credentials#") || !permission.includes("dynamodb:LeadingKeys")) &&
            !permission.includes('"dynamodb:Select":"COUNT"'),
        ),
      );

      expect(reaching.map(([key]) => key).sort()).toEqual([
        "v2/mobile/login",
        "v2/mobile/verify-code",
        "wms/docs",
      ]);
    });
  });
};

/**
 * What holds for the secret that mobile sessions are signed with. Who may read it, the functions' rules say.
 */
export const secretRules = (get: () => Assembly): void => {
  const signing = () => only(resources(get(), "AWS::SecretsManager::Secret"), "the signing secret");

  describe("the signing secret", () => {
    test("is generated at deployment, and is in no template", () => {
      const { properties } = signing();

      expect(properties).toMatchObject({
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      });
      expect(at(properties, "SecretString")).toBeUndefined();
    });

    test("is kept when its stack goes, for a new one ends all sessions", () => {
      expect(signing().resource).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        UpdateReplacePolicy: "Retain",
      });
    });

    test("is an output, and exported whether or not a function uses it", () => {
      const outputs = members(get().templates.get("Data")?.Outputs);
      const naming = outputs.filter(
        ([, output]) => text(get(), "Data", at(output, "Value")) === nameOf(signing()),
      );

      expect(naming.map(([name]) => name)).toContain("SigningSecretArn");
      expect(naming.some(([, output]) => at(output, "Export") !== undefined)).toBe(true);
    });
  });
};
