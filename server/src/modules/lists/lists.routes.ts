import {
  type ConsoleList,
  type ConsoleListName,
  consoleLists,
  consolePageLimits,
  countMaximum,
  exportFormats,
  listParameters,
} from '@muster/contract/console/console-lists'
import { csvColumnNames } from '@muster/contract/console/csv-columns'
import { invalidRequest } from '@muster/contract/errors'
import type { QueryParameter } from '@muster/contract/filter-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { tellAudit } from '../../kernel/events/audit-trail.ts'
import { type QueryValues, readQuery } from '../../kernel/http/query.ts'
import { storable } from '../../kernel/lib/text.ts'
import { countSorted, listSorted, walkSorted } from '../../kernel/query/sorted-list.ts'
import type { Place, SortedRequest } from '../../kernel/query/sorted-source.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type SortColumn, sortColumnOf, tableOf } from '../../kernel/store/tables.ts'
import { type Admission, admit, type ConsoleCall, callOf } from '../console/console-bind.ts'
import { sendFile } from '../console/send-file.ts'
import { auditContext } from '../console/audit-context.ts'
import { csvLine } from './csv.rules.ts'
import { csvRows } from './csv-rows.ts'
import { listValues, valueParameters } from './list-values.ts'

const access = { access: 'READ_ONLY', sensitive: false } as const

/** Records that an export reads at once: few enough that other requests run in between. */
const exportedAtOnce = 250

const formatParameter: QueryParameter = {
  ...{ name: 'format', description: 'The form of the file.', required: false, maxValues: 1, example: 'csv' },
  schema: { type: 'string', enum: exportFormats },
}

const allColumnsOf = ({ collection }: ConsoleList): string[] =>
  csvColumnNames(collection.name, Object.keys(collection.record.properties))

function columnParameter(list: ConsoleList): QueryParameter {
  const names = allColumnsOf(list)
  return {
    ...{ name: 'column', description: 'The columns of a CSV file, in this order; all unless given.' },
    schema: { type: 'string', enum: names },
    ...{ required: false, maxValues: names.length, example: names[0] },
  }
}

/** What is done before some lists are read. */
type Preparations = { readonly [Name in ConsoleListName]?: (org: number) => Promise<void> }

/** The lists of the console: pages, counts and whole files of them. */
export function registerLists(
  app: FastifyInstance,
  admission: Admission & { readonly log: Logger },
  preparations: Preparations = {},
): void {
  for (const [name, list] of Object.entries(consoleLists) as [ConsoleListName, ConsoleList][]) {
    const parameters = new Map(listParameters(list).map((parameter) => [parameter.name, parameter]))
    const exported = new Map(
      [...parameters.values(), formatParameter, columnParameter(list)].map((one) => [one.name, one]),
    )
    // A file is whole, from the first record.
    for (const ofPages of ['limit', 'cursor']) exported.delete(ofPages)
    const onRequest = async (request: FastifyRequest) => {
      await admit(request, admission, access)
      await preparations[name]?.(orgOf(request))
    }
    const ask = (request: FastifyRequest, known = parameters) =>
      asked(list, orgOf(request), readQuery(request.url, known))

    app.get(`/lists/${name}`, {
      onRequest,
      handler: async (request, reply) => {
        const { records, next } = await listSorted(admission.db, ask(request))
        const cursor = next ? JSON.stringify(writeCursor(next)) : 'null'
        return reply
          .type('application/json; charset=utf-8')
          .send(`{"records":[${records.join(',')}],"cursor":${cursor}}`)
      },
    })
    app.get(`/lists/${name}/count`, {
      onRequest,
      handler: async (request) => countSorted(admission.db, ask(request), countMaximum),
    })
    const ofValues = new Map(valueParameters(list).map((parameter) => [parameter.name, parameter]))
    app.get(`/lists/${name}/values`, {
      onRequest,
      handler: async (request) => {
        const { of: filter, text, ...query } = readQuery(request.url, ofValues)
        const of = ofValues.get(String(filter))
        if (!of) throw invalidRequest([{ in: 'query', name: 'of', message: 'must be given' }])
        const { [of.name]: _itself, ...others } = query
        return listValues(admission.db, {
          ...{ of, list: asked(list, orgOf(request), others) },
          text: text === undefined ? undefined : String(text),
        })
      },
    })
    app.get(`/lists/${name}/export`, {
      onRequest,
      handler: async (request, reply) => {
        const { format = 'csv', column, ...query } = readQuery(request.url, exported)
        if (format !== 'csv' && column !== undefined) {
          const message = 'must be left out: only a CSV file has columns'
          throw invalidRequest([{ in: 'query', name: 'column', message }])
        }
        const columns = column === undefined ? allColumnsOf(list) : [column].flat().map(String)
        const wanted = asked(list, orgOf(request), query)
        await tellExport(admission.db, callOf(request, reply, admission.clock), name, format, wanted)
        const rows = walkSorted(admission.db, wanted, exportedAtOnce)
        const file =
          format === 'csv'
            ? {
                type: 'text/csv',
                parts: csvFile(columns, await csvRows(admission.db.slow, wanted.org, columns), rows),
              }
            : { type: 'application/json', parts: jsonFile(rows) }
        return sendFile(reply, admission.log, { name: `${name}.${String(format)}`, ...file })
      },
    })
  }
}

/** Told before anything leaves: who takes a part of the file has taken it, too. */
async function tellExport(
  db: Db,
  call: ConsoleCall,
  what: string,
  format: unknown,
  wanted: Asked,
): Promise<void> {
  const { count, more } = await countSorted(db, wanted, countMaximum)
  const facts = { what, format: format === 'csv' ? 'CSV' : 'JSON', count: more ? 0 : count } as const
  await db.inTransaction((tx) => tellAudit(tx, wanted.org, 'DATA_EXPORTED', { ...auditContext(call), new: facts }))
}

function orgOf({ consoleSession }: FastifyRequest): number {
  if (!consoleSession) throw new Error('a list of the console was reached without a session')
  return consoleSession.administrator.org
}

type Asked = SortedRequest & { readonly place: Place | undefined; readonly limit: number }

function asked(list: ConsoleList, org: number, query: QueryValues): Asked {
  const { collection, search: members, searchThrough: through } = list
  const { sort = '-creationTimestamp', search, limit = consolePageLimits.default, cursor, ...filters } = query
  const text = String(sort)
  const member = text.replace(/^-/, '')
  return {
    collection,
    org,
    filters,
    search: search === undefined ? undefined : { members, ...(through && { through }), text: String(search) },
    sort: { member, descending: text !== member },
    place:
      cursor === undefined
        ? undefined
        : readCursor(String(cursor), sortColumnOf(tableOf(collection), member)),
    limit: Number(limit),
  }
}

const writeCursor = ({ value, seq }: Place): string =>
  Buffer.from(JSON.stringify([value, seq])).toString('base64url')

/** A cursor only says where to go on: whatever stands in it, no other organization's records are found. */
function readCursor(cursor: string, column: SortColumn | undefined): Place {
  try {
    const [value, seq] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isText = typeof value === 'string' && storable(value)
    const valued = column?.type === 'text' ? isText : Number.isSafeInteger(value)
    const known = value === null || (valued && column !== undefined)
    if (known && Number.isSafeInteger(seq)) return { value: value as Place['value'], seq: seq as number }
  } catch {
    // It is no cursor at all.
  }
  const message = 'must be the cursor of the page before, with the same sort; leave it out to begin again'
  throw invalidRequest([{ in: 'query', name: 'cursor', message }])
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
