import { type CreationPeriod, creationPeriods } from '@muster/contract/console/console-filters'
import type { ComputedOrder } from '../../kernel/query/computed-order.ts'
import type { FilterValues, Predicate } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-source.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { accountPredicates } from '../apps/account-filters.store.ts'
import { appFilterPredicates, otherAppPredicates } from '../apps/app-filters.store.ts'
import { addAppFigures, appListFilters, appListPredicates, appOrder } from '../apps/app-list.store.ts'
import { appUserFilters, appUserPredicates } from '../apps/app-users.store.ts'

type Request = Omit<SortedRequest, 'sort'>

/** Resolves the filters of a list request. */
export type ResolveFilters = <R extends Request>(request: R) => Promise<R>

/** Filters that a module turns into conditions: the names, and the conditions of the given values. */
interface ResolvedFilters {
  readonly names: readonly string[]
  readonly predicates: (db: Reader, request: Request) => Promise<Predicate[]>
}

const resolvedFilters: Readonly<Record<string, ResolvedFilters>> = {
  apps: { names: appListFilters, predicates: appListPredicates },
  appsOther: { names: ['aiTool'], predicates: otherAppPredicates },
  employees: { names: appUserFilters, predicates: appUserPredicates },
  accounts: { names: ['appCategory', 'identity'], predicates: accountPredicates },
  accountsOther: { names: ['aiTool', 'identity'], predicates: accountPredicates },
  findings: { names: ['appSensitivity', 'appCategory'], predicates: appFilterPredicates },
}

/**
 * Resolves the filters of a list that depend on the clock or on other records. The query layer knows only the filters of
 * the collection, and conditions.
 */
export async function resolveFilters<R extends Request>(
  db: Reader,
  nowSeconds: number,
  request: R,
): Promise<R> {
  const { createdWithin, ...filters } = request.filters
  const resolved = resolvedFilters[request.collection.name]
  const also = resolved ? await resolved.predicates(db, request) : []
  const left = Object.entries(filters).filter(([name]) => !resolved?.names.includes(name))
  return {
    ...request,
    filters: { ...Object.fromEntries(left), ...creationWindow(filters, createdWithin, nowSeconds) },
    also,
  }
}

/** Returns the lower bound of the creation window of a period; the custom one if that is later. */
function creationWindow(
  { creationTimestampAfter: after }: FilterValues,
  period: unknown,
  nowSeconds: number,
): FilterValues {
  const [value] = [period].flat()
  if (value === undefined) return {}
  const from = nowSeconds - creationPeriods[value as CreationPeriod]
  return { creationTimestampAfter: Math.max(from, Number(after ?? 0)) }
}

/** Returns the computed order of a sort; undefined if a column has it. */
export const computedOrder = async (
  db: Reader,
  { collection, org }: Request,
  member: string,
): Promise<ComputedOrder | undefined> => (collection.name === 'apps' ? appOrder(db, org, member) : undefined)

/** Adds the members that a list adds to its stored records. */
export const withAddedMembers = async (
  db: Reader,
  { collection, org }: Request,
  texts: readonly string[],
): Promise<readonly string[]> => (collection.name === 'apps' ? addAppFigures(db, org, texts) : texts)
