/** Lists, record by record. */

/** The query parameters that select a page. */
export interface PageQuery {
  readonly page: number;
  readonly per_page: number;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly metadata: { readonly total_pages: number };
}

/**
 * Iterates over all records of a list, and reads its pages on demand. `read` reads one page:
 *
 *     records((page) => oms.GET("/orders", { params: { query: { ...page, status_id: "1" } } }))
 *
 * If a record leaves the list during the loop, later records move to earlier pages and one of them may be
 * missed. If the loop itself removes records from the list (for example, cancels what it lists as Pending),
 * collect them first.
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
