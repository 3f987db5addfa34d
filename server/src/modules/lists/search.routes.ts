import { invalidRequest } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import { consoleLists } from '@muster/contract/console/console-lists'
import { foundMaximum, searchedLists, searchTextLimits } from '@muster/contract/console/search/global-search'
import type { FastifyInstance } from 'fastify'
import { readQuery } from '../../kernel/http/query.ts'
import type { Cursor } from '../../kernel/query/scan.ts'
import { listSorted } from '../../kernel/query/sorted-list.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type Admission, admit } from '../console/console-bind.ts'
import { callerOf, type ListRequest, listRequest } from './list-request.ts'
import type { Preparations } from './lists.routes.ts'

/** Time after which a search reads no further part of a list. */
const searchMs = 300

const textParameter: QueryParameter = {
  name: 'text',
  description: 'Words to search for. Each must occur in one of the searched members of a record.',
  schema: { type: 'string', ...searchTextLimits },
  maxValues: 1,
  example: 'ada',
}

/** Registers `GET /console/api/search`, which searches several lists in one request. */
export function registerSearch(
  app: FastifyInstance,
  admission: Admission,
  preparations: Preparations = {},
): void {
  const { db } = admission
  const parameters = new Map([[textParameter.name, textParameter]])
  app.get('/search', {
    onRequest: (request) => admit(request, admission, { access: 'READ_ONLY', sensitive: false }),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { text } = readQuery(request.url, parameters)
      if (text === undefined)
        throw invalidRequest([{ in: 'query', name: 'text', message: 'is required: the words to search for' }])
      const untilMs = performance.now() + searchMs
      const found = await Promise.all(
        searchedLists.map(async (name) => {
          await preparations[name]?.(caller.org)
          const list = listRequest(consoleLists[name], caller, { search: text, limit: foundMaximum })
          return { name, ...(await firstRecords(db, list, untilMs)) }
        }),
      )
      const members = found
        .filter(({ records, more }) => records.length > 0 || more)
        .map(({ name, records, more }) => `"${name}":{"records":[${records.join(',')}],"more":${more}}`)
      return reply.type('application/json; charset=utf-8').send(`{${members.join(',')}}`)
    },
  })
}

/** Reads the first records of a list. Stops at `untilMs`, in milliseconds of `performance.now()`. */
async function firstRecords(
  db: Db,
  list: ListRequest,
  untilMs: number,
): Promise<{ records: readonly string[]; more: boolean }> {
  const records: string[] = []
  let cursor: Cursor | undefined
  do {
    const page = await listSorted(db, { ...list, cursor, limit: list.limit - records.length })
    records.push(...page.records)
    cursor = page.next
  } while (cursor && records.length < list.limit && performance.now() < untilMs)
  return { records, more: cursor !== undefined }
}
