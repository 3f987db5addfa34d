import { ApiError, notFound } from '@muster/contract/api/errors'
import {
  type SavedFilter,
  type savedFilterOperations,
  savedFiltersMaximum,
  sharedFiltersMaximum,
} from '@muster/contract/console/search/console-saved-filters'
import { added, auditedChanges, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import { type ConsoleCall, type ConsoleHandlers, requireRole } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import {
  insertSavedFilter,
  listSavedFilters,
  removeSavedFilter,
  type SavedFilterRow,
  updateSavedFilter,
} from './saved-filters.store.ts'

/** Handlers for saved filters. A shared one can be changed by its owner and by administrators with `FULL_ACCESS`. */
export function savedFilterHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof savedFilterOperations> {
  const { db, makeId } = parts

  return {
    listSavedFilters: async (call) => {
      const { org, id } = call.caller.administrator
      const rows = await listSavedFilters(db, org, id)
      return { filters: rows.map((row) => viewOf(call, row)) }
    },

    saveFilter: (call, { list, name: typed, query, shared }) =>
      changeFilters(call, parts, async (tx, known) => {
        const { administrator } = call.caller
        const name = typed.trim()
        const own = known.filter(({ ownerId }) => ownerId === administrator.id)
        const before = own.find((one) => one.list === list && one.name === name)
        if (before)
          return change(tx, call, known, before, shared === undefined ? { query } : { query, shared })
        if (own.length >= savedFiltersMaximum) {
          throw new ApiError(
            'conflict',
            `You have saved ${savedFiltersMaximum} filters, which is the maximum. Remove one first.`,
          )
        }
        const row: SavedFilterRow = {
          id: makeId(),
          list,
          name,
          query,
          creationTimestamp: call.origin.nowSeconds,
          shared: shared === true ? 1 : 0,
          ownerId: administrator.id,
          ownerName: administrator.name || administrator.email,
        }
        if (row.shared === 1) requireSharing(call, known)
        await insertSavedFilter(tx, administrator.org, row)
        await audit(tx, call, undefined, row)
        return viewOf(call, row)
      }),

    changeSavedFilter: (call, changes, id) =>
      changeFilters(call, parts, async (tx, known) =>
        change(tx, call, known, ofCaller(call, known, id), changes),
      ),

    removeSavedFilter: (call, _body, id) =>
      changeFilters(call, parts, async (tx, known) => {
        const row = ofCaller(call, known, id)
        await removeSavedFilter(tx, call.caller.administrator.org, row)
        await audit(tx, call, row, undefined)
        return {}
      }),
  }
}

/** Runs a change of saved filters, one at a time in each organization. */
const changeFilters = <R>(
  { caller }: ConsoleCall,
  { db }: ConsoleParts,
  work: (tx: Tx, known: readonly SavedFilterRow[]) => Promise<R>,
): Promise<R> =>
  db
    .inTransaction(async (tx) => {
      const { org, id } = caller.administrator
      await tx.lock(`saved filters ${org}`)
      return work(tx, await listSavedFilters(tx, org, id))
    })
    .catch((error: unknown) => {
      // The other filter may be a personal one of the owner, which the caller does not see.
      if (error instanceof UniqueViolationError)
        throw new ApiError('conflict', 'The owner has another filter of this list with this name.')
      throw error
    })

async function change(
  tx: Tx,
  call: ConsoleCall,
  known: readonly SavedFilterRow[],
  before: SavedFilterRow,
  changes: { readonly name?: string; readonly query?: string; readonly shared?: boolean },
): Promise<SavedFilter> {
  const { name = before.name, query = before.query, shared = before.shared === 1 } = changes
  const after = { ...before, name: name.trim(), query, shared: shared ? 1 : 0 }
  if (after.shared > before.shared) requireSharing(call, known)
  if (after.shared < before.shared && after.ownerName === null)
    throw new ApiError('conflict', 'The owner of this filter was removed. Remove the filter instead.')
  await updateSavedFilter(tx, call.caller.administrator.org, after)
  await audit(tx, call, before, after)
  return viewOf(call, after)
}

/** Returns a filter that the caller may change. @throws ApiError not_found, role_too_low */
function ofCaller({ caller }: ConsoleCall, known: readonly SavedFilterRow[], id: string): SavedFilterRow {
  const row = known.find((one) => one.id === id)
  if (!row) throw notFound()
  if (row.ownerId !== caller.administrator.id) requireRole(caller, 'FULL_ACCESS')
  return row
}

/** Requires that the caller may share a further filter. @throws ApiError role_too_low, conflict */
function requireSharing({ caller }: ConsoleCall, known: readonly SavedFilterRow[]): void {
  requireRole(caller, 'FULL_ACCESS')
  if (known.filter(({ shared }) => shared === 1).length >= sharedFiltersMaximum) {
    throw new ApiError(
      'conflict',
      `The organization shares ${sharedFiltersMaximum} filters, which is the maximum. Remove one first.`,
    )
  }
}

/** Records a change that other administrators see. Personal filters are not recorded. */
async function audit(
  tx: Tx,
  call: ConsoleCall,
  before: SavedFilterRow | undefined,
  after: SavedFilterRow | undefined,
): Promise<void> {
  const [old, now] = [sharedPart(before), sharedPart(after)]
  const name = `${(after ?? before)?.list} “${(after ?? before)?.name}”`
  const changes =
    old && now
      ? auditedChanges(old, now)
      : now
        ? [added(name, now.query)]
        : old
          ? [removed(name, old.query)]
          : []
  if (changes.length === 0) return
  await recordAudit(tx, call.caller.administrator.org, 'SETTING_UPDATED', {
    ...auditContext(call),
    new: { setting: 'shared filters', changes },
  })
}

const sharedPart = (row: SavedFilterRow | undefined) =>
  row?.shared === 1 ? { name: row.name, query: row.query } : undefined

const viewOf = ({ caller }: ConsoleCall, { ownerId, shared, ...row }: SavedFilterRow): SavedFilter => ({
  ...row,
  list: row.list as SavedFilter['list'],
  shared: shared === 1,
  own: ownerId === caller.administrator.id,
})
