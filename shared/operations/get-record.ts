import { idIn } from "../domain/fields.ts";
import { notFound } from "../domain/problem.ts";
import type { Database } from "../store/database.ts";
import type { Repository } from "../store/lists/repository.ts";

/**
 * The account's record with this id.
 * @throws Problem `not_found`
 */
export async function getRecord<T>(
  db: Database,
  repository: Repository<T>,
  accountId: number,
  id: string,
): Promise<T> {
  const recordId = idIn(id);
  const found = recordId === undefined ? undefined : await repository.find(db, accountId, recordId);
  if (found !== undefined) return found;
  const { name, title } = repository;
  throw notFound(`There is no ${title} with ${name}_id ${id}`);
}
