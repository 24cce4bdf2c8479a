import { describe, expect, test } from "vitest";
import { putDistributionCenter } from "../../../../infra/operator/registry.ts";
import { at, listAt } from "../../../support/http/client.ts";
import { ownService } from "../../../support/runtime/own-service.ts";

const service = await ownService({ paused: true });
// Codes in an order of their own, so that the list's order is that of the ids.
for (let id = 25; id > 2; id -= 1) {
  const center = { distribution_center_id: id, code: `DC-${(id * 7) % 26}`, name: `Center ${id}` };
  await putDistributionCenter(service.db, center);
}

const idsOf = (body: unknown) => listAt(body, "data").map((center) => at(center, "distribution_center_id"));
const idsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const main = { distribution_center_id: 1, code: "MAIN", name: "Main Warehouse" };

describe("distribution centers", () => {
  test("are all listed, by rising id, unless a page is asked for", async () => {
    const answer = await service.oms.get("/distribution_centers");

    expect(answer.status).toBe(200);
    expect(idsOf(answer.body)).toEqual(idsFrom(1, 25));
    expect(at(answer.body, "data.0")).toEqual(main);
    expect(at(answer.body, "metadata")).toEqual({
      page: 1,
      per_page: 25,
      total_records: 25,
      total_pages: 1,
      total_current_page: 25,
    });
    expect(at(answer.body, "pagination")).toEqual({
      current_page: 1,
      per_page: 25,
      total: 25,
      total_pages: 1,
    });
  });

  test("come 20 a page if a page is requested, with exact totals in both blocks", async () => {
    const answer = await service.oms.get("/distribution_centers?page=1");

    expect(idsOf(answer.body)).toEqual(idsFrom(1, 20));
    expect(at(answer.body, "metadata")).toEqual({
      page: 1,
      per_page: 20,
      total_records: 25,
      total_pages: 2,
      total_current_page: 20,
    });
    expect(at(answer.body, "pagination")).toEqual({
      current_page: 1,
      per_page: 20,
      total: 25,
      total_pages: 2,
    });
  });

  test.each<[string, readonly number[]]>([
    ["page=2", idsFrom(21, 25)],
    ["page=3", []],
    ["page=2&per_page=7", idsFrom(8, 14)],
    ["page=4&per_page=7", idsFrom(22, 25)],
    ["per_page=100", idsFrom(1, 25)],
    ["per_page=1&page=25", [25]],
  ])("asked for with %s are exactly those of the page", async (query, ids) => {
    const answer = await service.oms.get(`/distribution_centers?${query}`);

    expect(answer.status).toBe(200);
    expect(idsOf(answer.body)).toEqual(ids);
    expect(at(answer.body, "metadata.total_records")).toBe(25);
    expect(at(answer.body, "metadata.total_current_page")).toBe(ids.length);
  });

  test("are read by their id", async () => {
    const answer = await service.oms.get("/distribution_centers/1");

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: main });
  });

  test.each(["26", "0", "-1", "01", "1.0", "1e0", "MAIN", "999999999999", "9".repeat(200)])(
    "answer 404 for the id %s",
    async (id) => {
      const answer = await service.oms.get(`/distribution_centers/${id}`);

      expect(answer.status).toBe(404);
      expect(at(answer.body, "response")).toEqual({
        success: false,
        message: `There is no distribution center with distribution_center_id ${decodeURIComponent(id)}`,
      });
    },
  );
});
