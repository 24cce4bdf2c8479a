import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Repository } from "../store/lists/repository.ts";
import type { AccountContext } from "./context.ts";

/**
 * The account's record with this id.
 * @throws Problem `not_found`
 */
export async function getRecord<T>(
  { db, account_id }: Pick<AccountContext, "db" | "account_id">,
  repository: Repository<T>,
  id: string,
): Promise<T> {
  const recordId = idIn(id);
  const found = recordId === undefined ? undefined : await repository.find(db, account_id, recordId);
  if (found !== undefined) return found;
  const { name, title } = repository;
  throw notFound(`There is no ${title} with ${name}_id ${id}`);
}
