import { invalidRequest } from '@muster/contract/api/errors'
import {
  type AuditObject,
  auditAccess,
  auditExportParameters,
  auditParameters,
  auditPath,
} from '@muster/contract/console/console-audit'
import { consolePageLimits } from '@muster/contract/console/console-lists'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { type QueryValues, readQuery } from '../../kernel/http/query.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import { type Admission, admit, callOf, consoleApiPrefix } from '../console/console-bind.ts'
import { sendFile } from '../console/send-file.ts'
import { auditCsv, auditLine } from './audit-file.ts'
import { type AuditCursor, type AuditFilters, type AuditLink, listAudit } from './audit-list.store.ts'

const access = { access: auditAccess, sensitive: false } as const

/** Small batches, to let other requests run in between. */
const exportBatchSize = 250

/** Registers the routes to list and export the audit trail. */
export function registerAudit(app: FastifyInstance, admission: Admission & { readonly log: Logger }): void {
  const { db, clock } = admission
  const path = auditPath.slice(consoleApiPrefix.length)
  const onRequest = (request: FastifyRequest) => admit(request, admission, access)
  const listParameters = new Map(auditParameters.map((parameter) => [parameter.name, parameter]))
  const exportParameters = new Map(auditExportParameters.map((parameter) => [parameter.name, parameter]))

  app.get(path, {
    onRequest,
    handler: async (request, reply) => {
      const { limit = consolePageLimits.default, cursor, ...query } = readQuery(request.url, listParameters)
      const { org } = callOf(request, reply, clock).caller.administrator
      const after = cursor === undefined ? undefined : readCursor(String(cursor))
      const { links, next } = await listAudit(db, org, filtersOf(query), Number(limit), after)
      const records = links.map(
        ({ position, hash, event }) => `{"position":${position},"hash":"${hash}","event":${event}}`,
      )
      const end = next ? JSON.stringify(writeCursor(next)) : 'null'
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"records":[${records.join(',')}],"cursor":${end}}`)
    },
  })

  app.get(`${path}/export`, {
    onRequest,
    handler: async (request, reply) => {
      const { format = 'csv', ...query } = readQuery(request.url, exportParameters)
      const call = callOf(request, reply, clock)
      const { org } = call.caller.administrator
      const filters = filtersOf(query)
      // Audited before the first byte is sent: a partial download counts as an export.
      await db.inTransaction((tx) =>
        recordAudit(tx, org, 'DATA_EXPORTED', {
          ...auditContext(call),
          new: { what: 'audit trail', format: format === 'csv' ? 'CSV' : 'JSON', count: 0 },
        }),
      )
      const pages = allEvents(db, org, filters)
      const file =
        format === 'csv'
          ? { type: 'text/csv', parts: auditCsv(pages) }
          : { type: 'application/jsonl', parts: auditLines(pages) }
      return sendFile(reply, admission.log, { name: `audit.${String(format)}`, ...file })
    },
  })
}

const filtersOf = ({
  timestampAfter,
  timestampBefore,
  object,
  actor,
  search,
}: QueryValues): AuditFilters => ({
  timestampAfter: timestampAfter as number | undefined,
  timestampBefore: timestampBefore as number | undefined,
  objects: object as AuditObject[] | undefined,
  actor: actor === undefined ? undefined : foldCase(String(actor)),
  search: search === undefined ? undefined : String(search),
})

const writeCursor = ({ timestamp, position }: AuditCursor): string =>
  Buffer.from(JSON.stringify([timestamp, position])).toString('base64url')

/** Parses a cursor. It needs no signature, since queries are limited to the caller's organization. */
function readCursor(cursor: string): AuditCursor {
  try {
    const [timestamp, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(timestamp) && Number.isSafeInteger(position))
      return { timestamp: timestamp as number, position: position as number }
  } catch {
    // Not valid JSON.
  }
  const message = 'must be the cursor of the previous page; omit it to start from the first page'
  throw invalidRequest([{ in: 'query', name: 'cursor', message }])
}

/** Iterates over all matching events in batches, newest first. */
async function* allEvents(db: Db, org: number, filters: AuditFilters): AsyncGenerator<readonly AuditLink[]> {
  let cursor: AuditCursor | undefined
  do {
    const { links, next } = await listAudit(db, org, filters, exportBatchSize, cursor)
    yield links
    cursor = next
  } while (cursor)
}

async function* auditLines(pages: AsyncIterable<readonly AuditLink[]>): AsyncGenerator<string> {
  for await (const links of pages) if (links.length > 0) yield links.map(auditLine).join('')
}
