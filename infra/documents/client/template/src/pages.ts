/** Lists, record by record. */

/** What a list takes to answer one of its pages. */
export interface PageQuery {
  readonly page: number;
  readonly per_page: number;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly metadata: { readonly total_pages: number };
}

/**
 * All records of a list, read page by page while they are asked for. `read` reads one page:
 *
 *     records((page) => oms.GET("/orders", { params: { query: { ...page, status_id: "1" } } }))
 *
 * A record that leaves the list meanwhile moves the others to earlier pages, so one of them may be missed. Where the loop
 * itself takes records out of the list (cancels what it lists as Pending), collect them first.
 *
 * @param perPage records on a page, at most 100
 */
export async function* records<T>(
  read: (query: PageQuery) => Promise<Page<T>>,
  perPage = 100,
): AsyncGenerator<T, void, void> {
  for (let page = 1; ; page += 1) {
    const { data, metadata } = await read({ page, per_page: perPage });
    yield* data;
    if (page >= metadata.total_pages) return;
  }
}
