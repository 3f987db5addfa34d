import type { IdentityKind } from '@muster/contract/console/console-filters'
import type { Predicate } from '../../kernel/query/predicates.ts'
import type { SortedRequest } from '../../kernel/query/sorted-list.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { tableOf } from '../../kernel/store/tables.ts'
import { aiOtherAppIds } from './ai-tools.store.ts'
import { appFilterPredicates, flagOf, ofApps } from './app-filters.store.ts'
import { readIdentityTest } from './identity.service.ts'

type Request = Pick<SortedRequest, 'collection' | 'org' | 'filters'>

/** Returns the conditions of filters of accounts by their app and by the kind of their name. */
export async function accountPredicates(db: Reader, request: Request): Promise<Predicate[]> {
  const { collection, org, filters } = request
  const predicates = await appFilterPredicates(db, request)
  const isAiTool = flagOf(filters.aiTool)
  if (isAiTool !== undefined) {
    const ofTools = ofApps(db, tableOf(collection), await aiOtherAppIds(db, org), 'other_app_id')
    const { sql, params } = ofTools.test
    predicates.push(isAiTool ? ofTools : { test: { sql: `NOT (${sql})`, params } })
  }
  if (filters.identity !== undefined) {
    const isOf = await readIdentityTest(db, org)
    const tests = ([filters.identity].flat() as IdentityKind[]).map((kind) => isOf(kind, 't.email', 't.org'))
    predicates.push({
      test: {
        sql: `(${tests.map(({ sql }) => sql).join(' OR ')})`,
        params: tests.flatMap(({ params }) => [...params]),
      },
    })
  }
  return predicates
}
