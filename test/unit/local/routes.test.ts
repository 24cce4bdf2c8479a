import { describe, expect, test } from "vitest";
import { Router } from "../../../infra/local/http/routes.ts";

const keys = ["$default", "GET /a/{id}", "GET /a/fixed", "GET /{other}/fixed", "GET /a/{id}/b/{place}"];

const router = new Router(keys.map((key) => ({ key, target: key })));

describe("Router", () => {
  test.each([
    ["a fixed path before a parameter", "GET", "/a/fixed", "GET /a/fixed", {}],
    ["an earlier fixed segment before a later one", "GET", "/a/x", "GET /a/{id}", { id: "x" }],
    ["a parameter for any segment", "GET", "/z/fixed", "GET /{other}/fixed", { other: "z" }],
    ["several parameters", "GET", "/a/1/b/2", "GET /a/{id}/b/{place}", { id: "1", place: "2" }],
    ["$default for an unknown path", "GET", "/nowhere", "$default", {}],
    ["$default for a method that no route has", "DELETE", "/z/fixed", "$default", {}],
    ["$default for an empty segment", "GET", "/a/", "$default", {}],
    ["$default for a longer path", "GET", "/a/1/b", "$default", {}],
  ])("prefers %s", (_, method, path, key, parameters) => {
    expect(router.match(method, path)).toEqual({ key, target: key, parameters });
  });

  test("matches nothing without $default", () => {
    expect(new Router([{ key: "GET /a", target: 1 }]).match("GET", "/b")).toBeUndefined();
  });
});
