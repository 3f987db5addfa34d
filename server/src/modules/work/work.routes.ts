import { invalidRequest, type Mistake } from '@muster/contract/api/errors'
import { consoleLists } from '@muster/contract/console/console-lists'
import type { ConsoleBody } from '@muster/contract/console/console-operation'
import type { askOperations } from '@muster/contract/console/work/console-ask'
import type { workOperations } from '@muster/contract/console/work/console-work'
import { type RequestTemplate, templateMistakes } from '@muster/contract/console/work/request-template'
import { workBatchMaximum } from '@muster/contract/console/work/work-fields'
import { findings } from '@muster/contract/records/finding'
import { storableId } from '../../kernel/actions/read.ts'
import { countList } from '../../kernel/query/count-list.ts'
import { listSorted } from '../../kernel/query/sorted-list.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { readCursor, writeCursor } from '../lists/list-cursor.ts'
import { listRequestOf } from '../lists/list-request.ts'
import { resolveFilters } from '../lists/resolve-filters.ts'
import { askEmployee, notAsked, previewRequest } from './ask-employee.ts'
import { changeRequestTemplate, requestTemplateOf } from './change-request-template.ts'
import { addNote, changeWork, namedChange, readWork } from './change-work.ts'
import { changeMistakes } from './work.rules.ts'

const byOf = (call: ConsoleCall) => ({
  administrator: call.caller.administrator,
  audit: auditContext(call),
})

const mistake = (name: string, message: string): Mistake => ({ in: 'body', name, message })

/** Handlers of the work on findings and detections. */
export function workHandlers({
  db,
}: ConsoleParts): ConsoleHandlers<keyof typeof workOperations | keyof typeof askOperations> {
  type Body = ConsoleBody<(typeof workOperations)['changeWork']>

  /** Returns the request for all records that match the filters, the newest first: later ones are not included. */
  const requestOf = ({ caller, origin }: ConsoleCall, { list, query }: Pick<Body, 'list' | 'query'>) => {
    const { cursor: _cursor, ...request } = listRequestOf(
      consoleLists[list],
      caller.administrator,
      query ?? '',
    )
    const sort = { member: 'creationTimestamp', descending: true }
    return resolveFilters(db.slow, origin.nowSeconds, { ...request, sort })
  }

  /** Returns the IDs of the next records, and the cursor after them. */
  const selectRecords = async (call: ConsoleCall, body: Body) => {
    if (body.ids) return { ids: body.ids, cursor: null }
    const cursor = body.cursor === undefined ? undefined : readCursor(body.cursor, undefined, 'body')
    const request = { ...(await requestOf(call, body)), cursor, limit: workBatchMaximum }
    const { records, next } = await listSorted(db, request)
    const ids = records.map((text) => (JSON.parse(text) as { id: string }).id)
    return { ids, cursor: next ? writeCursor(next) : null }
  }

  return {
    readWork: ({ caller, origin }, _body, id) =>
      readWork(db, caller.administrator.org, id, origin.nowSeconds),

    addNote: (call, { text }, id) => {
      if (text.trim() === '') throw invalidRequest([mistake('text', 'must not be empty')])
      return addNote(db, byOf(call), id, text)
    },

    changeWork: async (call, body) => {
      const { list, change } = body
      const mistakes = [...selectionMistakes(body), ...changeMistakes(list, change, call.origin.nowSeconds)]
      const named = await namedChange(db, call.caller.administrator.org, change)
      if (!named) mistakes.push(mistake('change.assigneeId', 'must be the ID of an administrator, or null'))
      if (mistakes.length > 0 || !named) throw invalidRequest(mistakes)
      const { ids, cursor } = await selectRecords(call, body)
      const changed =
        ids.length === 0 ? [] : await db.inTransaction((tx) => changeWork(tx, byOf(call), list, ids, named))
      return { found: ids.length, changed: changed.length, cursor }
    },

    previewRequest: ({ caller, origin }, _body, id) =>
      previewRequest(db, caller.administrator.org, id, origin.nowSeconds),

    previewRequestTemplate: ({ caller, origin }, template, id) => {
      checkTemplate(template)
      return previewRequest(db, caller.administrator.org, id, origin.nowSeconds, template)
    },

    readRequestTemplate: ({ caller }) => requestTemplateOf(db, caller.administrator.org),

    changeRequestTemplate: async (call, template) => {
      checkTemplate(template)
      await changeRequestTemplate(db, byOf(call), template)
      return requestTemplateOf(db, call.caller.administrator.org)
    },

    resetRequestTemplate: async (call) => {
      await changeRequestTemplate(db, byOf(call), null)
      return requestTemplateOf(db, call.caller.administrator.org)
    },

    askEmployee: async (call, _body, id) => {
      const outcome = await askEmployee(db, byOf(call), id)
      if (outcome !== 'ASKED') throw notAsked(outcome)
      return previewRequest(db, call.caller.administrator.org, id, call.origin.nowSeconds)
    },

    askEmployees: async (call, body) => {
      const selection = { ...body, list: 'findings', change: {} } as const
      const mistakes = selectionMistakes(selection)
      if (mistakes.length > 0) throw invalidRequest(mistakes)
      const { ids, cursor } = await selectRecords(call, selection)
      let asked = 0
      for (const employeeId of await employeesOf(db, call.caller.administrator.org, ids))
        if ((await askEmployee(db, byOf(call), employeeId)) === 'ASKED') asked += 1
      return { found: ids.length, changed: asked, cursor }
    },

    countWork: async (call, body) => {
      const { count } = await countList(db, await requestOf(call, body))
      return { count }
    },
  }
}

/** @throws ApiError invalid_request */
function checkTemplate(template: RequestTemplate): void {
  const mistakes = templateMistakes(template)
  if (mistakes.length > 0) throw invalidRequest(mistakes)
}

/** Returns the employees of findings, each once. */
async function employeesOf(db: Db, org: number, findingIds: readonly string[]): Promise<ReadonlySet<string>> {
  const records = await findRecords(db, findings, org, 'id', findingIds)
  return new Set(records.flatMap(({ employeeId }) => employeeId ?? []))
}

function selectionMistakes({
  ids,
  query,
  cursor,
}: ConsoleBody<(typeof workOperations)['changeWork']>): Mistake[] {
  const mistakes: Mistake[] = []
  if ((ids === undefined) === (query === undefined))
    mistakes.push(mistake('ids', 'must be given, or `query`, but not both'))
  if (ids?.some((id) => !storableId(id))) mistakes.push(mistake('ids', 'must be IDs of records'))
  if (cursor !== undefined && query === undefined)
    mistakes.push(mistake('cursor', 'must not be given without `query`'))
  return mistakes
}
