import type { AppFigures } from '@muster/contract/console/console-apps'
import type { App } from '@muster/contract/records/app'
import type { ComputedOrder } from '../../kernel/query/computed-order.ts'
import type { Predicate } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { accountPredicates } from './account-filters.store.ts'
import { appFilterPredicates, otherAppPredicates } from './app-filters.store.ts'
import { appListFilters, appListPredicates, appOrder, readAppFigures } from './app-list.store.ts'
import { appUserFilters, appUserPredicates } from './app-users.store.ts'

type Request = Omit<SortedRequest, 'sort'>

/** Filters that are turned into conditions: their names, and the conditions of the given values. */
interface ResolvedFilters {
  readonly names: readonly string[]
  readonly predicates: (db: Reader, request: Request) => Promise<Predicate[]>
}

/** Filters of the console's lists by apps and their use, by collection. */
export const filtersByApp: Readonly<Record<string, ResolvedFilters>> = {
  apps: { names: appListFilters, predicates: appListPredicates },
  appsOther: { names: ['aiTool'], predicates: otherAppPredicates },
  employees: { names: appUserFilters, predicates: appUserPredicates },
  accounts: { names: ['appCategory', 'identity'], predicates: accountPredicates },
  accountsOther: { names: ['aiTool', 'identity'], predicates: accountPredicates },
  findings: { names: ['appSensitivity', 'appCategory'], predicates: appFilterPredicates },
}

/** Returns the computed order of a sort; undefined if a column has it. */
export const computedOrder = async (
  db: Reader,
  { collection, org }: Request,
  member: string,
): Promise<ComputedOrder | undefined> => (collection.name === 'apps' ? appOrder(db, org, member) : undefined)

/** Returns the figures of apps, by record. */
export async function figureMembers(
  db: Reader,
  { org }: { readonly org: number },
  apps: readonly Pick<App, 'id' | 'type'>[],
): Promise<(app: Pick<App, 'id'>) => AppFigures | undefined> {
  const figures = await readAppFigures(db, org, apps)
  return ({ id }) => figures.get(id)
}
