import { notFound } from "../../common/problem.ts";
import type { PageContract, Route } from "../../runtime/contract.ts";
import type { Access } from "../../store/access.ts";
import { withBudget } from "../../store/dynamodb/retry.ts";
import { gateway, type HttpEvent } from "../http-handler.ts";
import type { HttpResponse } from "../responses.ts";

interface AnsweredRoute extends Route {
  readonly answer: (event: HttpEvent) => Promise<HttpResponse>;
}

/** A page, with the function that answers each of its routes. */
interface Page extends PageContract {
  readonly routes: readonly AnsweredRoute[];
}

type Contract = Pick<Page, "summary" | "document" | "parts" | "routes"> & {
  readonly networks?: boolean;
  readonly secret?: boolean;
  readonly access?: Access;
};

/** Answers a call by its route. A problem that the route throws is answered in the usual envelope. */
const pageHandler = ({ routes }: Page) =>
  gateway((event) => {
    const route = routes.find(({ method, path }) => event.routeKey === `${method} ${path}`);
    if (route === undefined) throw notFound(`There is no ${event.routeKey}`);
    return withBudget(() => route.answer(event));
  });

/** Defines a page. Its routes, permissions and files derive from it. */
export function definePage({ networks = false, secret = false, access = {}, ...rest }: Contract) {
  const page: Page = { ...rest, type: "page", networks, secret, access, sends: [] };
  return { page, handler: pageHandler(page) };
}
