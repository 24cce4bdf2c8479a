import { parseId } from "../../common/fields.ts";
import { notFound } from "../../common/problem.ts";
import type { AccountContext } from "../../lambda/context.ts";
import type { Repository } from "../../store/lists/repository.ts";

/**
 * The account's record with this id.
 * @throws Problem `not_found`
 */
export async function getRecord<T>(
  { db, account_id }: Pick<AccountContext, "db" | "account_id">,
  repository: Repository<T>,
  id: string,
): Promise<T> {
  const recordId = parseId(id);
  const found = recordId === undefined ? undefined : await repository.find(db, account_id, recordId);
  if (found !== undefined) return found;
  const { name, title } = repository;
  throw notFound(`There is no ${title} with ${name}_id ${id}`);
}
