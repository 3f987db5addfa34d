import { invalidRequest } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import {
  type ConsoleList,
  type ConsoleListName,
  consoleLists,
  exportFormats,
  listParameters,
} from '@muster/contract/console/console-lists'
import { csvColumnNames } from '@muster/contract/console/csv-columns'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { readQuery } from '../../kernel/http/query.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { countList } from '../../kernel/query/count-list.ts'
import { listSorted, type SortedRequest, scanInCreationOrder } from '../../kernel/query/sorted-list.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { sortColumnOf, tableOf } from '../../kernel/store/tables.ts'
import { computedOrder } from '../apps/app-lists.service.ts'
import { auditContext } from '../console/audit-context.ts'
import { type Admission, admit, type ConsoleCall, callOf } from '../console/console-bind.ts'
import { sendFile } from '../console/send-file.ts'
import { withAddedMembers } from './added-members.ts'
import { csvLine } from './csv.rules.ts'
import { csvRows } from './csv-rows.ts'
import { readCursor, writeCursor } from './list-cursor.ts'
import { callerOf, type ListRequest, listRequest } from './list-request.ts'
import { listValues, valueParameters } from './list-values.ts'
import { type ResolveFilters, resolveFilters } from './resolve-filters.ts'

const access = { access: 'READ_ONLY', sensitive: false } as const

/** Time after which a count ends early. A page shows its rows before. */
const countMs = 5000

/** Time after which the count of the records that an export will have ends early. The export waits for it. */
const exportCountMs = 1000

/** Page size of an export, small enough for other requests to run in between. */
const exportPageSize = 250

const formatParameter: QueryParameter = {
  name: 'format',
  description: 'The format of the file.',
  maxValues: 1,
  example: 'csv',
  schema: { type: 'string', enum: exportFormats },
}

const allColumnsOf = ({ collection, adds }: ConsoleList): string[] =>
  csvColumnNames(collection.name, [
    ...Object.keys(collection.record.properties),
    ...Object.keys(adds?.properties ?? {}),
  ])

function columnParameter(list: ConsoleList): QueryParameter {
  const names = allColumnsOf(list)
  return {
    name: 'column',
    description: 'The columns of a CSV file, in this order; all by default.',
    schema: { type: 'string', enum: names },
    maxValues: names.length,
    example: names[0],
  }
}

/** Work to do before some lists are read. */
export type Preparations = { readonly [Name in ConsoleListName]?: (org: number) => Promise<void> }

/** Registers the routes of the console's lists: pages, counts, filter values and exports. */
export function registerLists(
  app: FastifyInstance,
  admission: Admission & { readonly log: Logger },
  preparations: Preparations = {},
): void {
  const { db, clock } = admission
  /** Resolves the filters of a request when it is made. */
  const resolve: ResolveFilters = (request) => resolveFilters(db.slow, unixSeconds(clock), request)
  for (const [name, list] of Object.entries(consoleLists) as [ConsoleListName, ConsoleList][]) {
    const parameters = new Map(listParameters(list).map((parameter) => [parameter.name, parameter]))
    const exported = new Map(
      [...parameters.values(), formatParameter, columnParameter(list)].map((one) => [one.name, one]),
    )
    // An export is never paged.
    for (const name of ['limit', 'cursor']) exported.delete(name)
    const onRequest = async (request: FastifyRequest) => {
      await admit(request, admission, access)
      await preparations[name]?.(callerOf(request).org)
    }
    const requestOf = (request: FastifyRequest, known = parameters) =>
      resolve(listRequest(list, callerOf(request), readQuery(request.url, known)))

    app.get(`/lists/${name}`, {
      onRequest,
      handler: async (request, reply) => {
        const { cursor: position, ...found } = await requestOf(request)
        const member = found.sort.member
        const order = await computedOrder(db, found, member)
        const column = order ?? sortColumnOf(tableOf(list.collection), member)
        const from = position === undefined ? undefined : readCursor(position, column)
        const { records: stored, next } = await listSorted(db, { ...found, order, cursor: from })
        const records = await withAddedMembers(db, found, unixSeconds(clock), stored)
        const cursor = next ? JSON.stringify(writeCursor(next)) : 'null'
        return reply
          .type('application/json; charset=utf-8')
          .send(`{"records":[${records.join(',')}],"cursor":${cursor}}`)
      },
    })
    app.get(`/lists/${name}/count`, {
      onRequest,
      handler: async (request, reply) =>
        countList(db, await requestOf(request), { maximumMs: countMs, signal: closedSignal(reply) }),
    })
    const ofValues = new Map(valueParameters(list).map((parameter) => [parameter.name, parameter]))
    app.get(`/lists/${name}/values`, {
      onRequest,
      handler: async (request) => {
        const { of: filter, text, ...query } = readQuery(request.url, ofValues)
        const of = ofValues.get(String(filter))
        if (!of) throw invalidRequest([{ in: 'query', name: 'of', message: 'must be given' }])
        const { [of.name]: _itself, ...others } = query
        return listValues(
          db,
          {
            of,
            list: listRequest(list, callerOf(request), others),
            text: text === undefined ? undefined : String(text),
          },
          resolve,
        )
      },
    })
    app.get(`/lists/${name}/export`, {
      onRequest,
      handler: async (request, reply) => {
        const { format = 'csv', column, ...query } = readQuery(request.url, exported)
        if (format !== 'csv' && column !== undefined) {
          const message = 'must not be given: only CSV files have columns'
          throw invalidRequest([{ in: 'query', name: 'column', message }])
        }
        const columns = column === undefined ? allColumnsOf(list) : [column].flat().map(String)
        const exportRequest = await resolve(listRequest(list, callerOf(request), query))
        await recordExport(db, callOf(request, reply, clock), name, format, exportRequest)
        const rows = withMembers(db, exportRequest, unixSeconds(clock))
        const file =
          format === 'csv'
            ? {
                type: 'text/csv',
                parts: csvFile(columns, await csvRows(db.slow, exportRequest.org, columns), rows),
              }
            : { type: 'application/json', parts: jsonFile(rows) }
        return sendFile(reply, admission.log, { name: `${name}.${String(format)}`, ...file })
      },
    })
  }
}

/** Returns a signal that is aborted when the connection closes. */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  return closed.signal
}

/** Records an export before it starts, because even a partial file is an export. */
async function recordExport(
  db: Db,
  call: ConsoleCall,
  list: string,
  format: unknown,
  request: ListRequest,
): Promise<void> {
  const { count, more } = await countList(db, request, { maximumMs: exportCountMs })
  const facts = { what: list, format: format === 'csv' ? 'CSV' : 'JSON', count: more ? 0 : count } as const
  await db.inTransaction((tx) =>
    recordAudit(tx, request.org, 'DATA_EXPORTED', { ...auditContext(call), new: facts }),
  )
}

/** Reads the records of an export, with the members that their list adds. */
async function* withMembers(
  db: Db,
  request: SortedRequest,
  nowSeconds: number,
): AsyncGenerator<readonly string[]> {
  for await (const texts of scanInCreationOrder(db, request, exportPageSize))
    yield await withAddedMembers(db, request, nowSeconds, texts)
}

async function* csvFile(
  columns: readonly string[],
  rowsOf: Awaited<ReturnType<typeof csvRows>>,
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages) {
    const rows = await rowsOf(page.map((text) => JSON.parse(text) as Record<string, unknown>))
    if (rows.length > 0) yield rows.map(csvLine).join('')
  }
}

async function* jsonFile(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield '['
  let first = true
  for await (const page of pages) {
    if (page.length === 0) continue
    yield `${first ? '\n' : ',\n'}${page.join(',\n')}`
    first = false
  }
  yield '\n]\n'
}
