import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { currentRelease } from "../../../infra/release/freeze.ts";
import { lastRelease, type Release, readReleases, version } from "../../../infra/release/released.ts";

const allowing = (sends: readonly string[]) => ({ access: {}, sends: [...sends], secret: false });

/** The functions that two releases allow different things. */
const differing = (one: Release, other: Release): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isDeepStrictEqual(one[key], other[key]),
  );

describe("the recorded permissions of releases", () => {
  const { [version]: recorded } = readReleases();

  test.runIf(recorded)("of this version are those of this code; to change them, raise the version", () => {
    expect(differing(recorded ?? {}, currentRelease())).toEqual([]);
  });

  test("hold the release before, whether this version is recorded or not", () => {
    const [older, newer] = [{ "things/send": allowing(["letter"]) }, { "things/send": allowing([]) }];

    expect(lastRelease({ "1.1.0": newer, "1.0.0": older }, "1.1.0")).toBe(older);
    expect(lastRelease({ "1.1.0": newer, "1.0.0": older }, "1.2.0")).toBe(newer);
    expect(lastRelease({ "1.0.0": older }, "1.0.0")).toEqual({});
  });

  test("of a newer release hold for a downgrade to this version", () => {
    const [newer, own] = [{ "things/send": allowing(["letter"]) }, {}];

    expect(lastRelease({ "1.1.0": newer, "1.0.0": own }, "1.0.0")).toBe(newer);
  });
});
