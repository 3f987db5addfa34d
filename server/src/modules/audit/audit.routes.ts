import {
  type AuditObject,
  auditAccess,
  auditExportParameters,
  auditParameters,
  auditPath,
} from '@muster/contract/console/console-audit'
import { consolePageLimits } from '@muster/contract/console/console-lists'
import { invalidRequest } from '@muster/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { tellAudit } from '../../kernel/events/audit-trail.ts'
import { type QueryValues, readQuery } from '../../kernel/http/query.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type Admission, admit, callOf, consoleApiPrefix } from '../console/console-bind.ts'
import { sendFile } from '../console/send-file.ts'
import { auditContext } from '../console/audit-context.ts'
import { auditCsv, auditLine } from './audit-file.ts'
import { type AuditFilters, type AuditLink, type AuditPlace, listAudit } from './audit-list.store.ts'

const access = { access: auditAccess, sensitive: false } as const

/** Events that a file reads at once: few enough that other requests run in between. */
const exportedAtOnce = 250

/** The audit trail of the organization: pages of it, and a file. */
export function registerAudit(app: FastifyInstance, admission: Admission & { readonly log: Logger }): void {
  const { db, clock } = admission
  const path = auditPath.slice(consoleApiPrefix.length)
  const onRequest = (request: FastifyRequest) => admit(request, admission, access)
  const ofPage = new Map(auditParameters.map((parameter) => [parameter.name, parameter]))
  const ofFile = new Map(auditExportParameters.map((parameter) => [parameter.name, parameter]))

  app.get(path, {
    onRequest,
    handler: async (request, reply) => {
      const { limit = consolePageLimits.default, cursor, ...asked } = readQuery(request.url, ofPage)
      const { org } = callOf(request, reply, clock).caller.administrator
      const place = cursor === undefined ? undefined : readCursor(String(cursor))
      const { links, next } = await listAudit(db, org, filtersOf(asked), Number(limit), place)
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
      const { format = 'csv', ...asked } = readQuery(request.url, ofFile)
      const call = callOf(request, reply, clock)
      const { org } = call.caller.administrator
      const filters = filtersOf(asked)
      // Told before anything leaves: who takes a part of the file has taken it, too.
      await db.inTransaction((tx) =>
        tellAudit(tx, org, 'DATA_EXPORTED', {
          ...auditContext(call),
          new: { what: 'audit trail', format: format === 'csv' ? 'CSV' : 'JSON', count: 0 },
        }),
      )
      const pages = everything(db, org, filters)
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

const writeCursor = ({ timestamp, position }: AuditPlace): string =>
  Buffer.from(JSON.stringify([timestamp, position])).toString('base64url')

/** A cursor only says where to go on: whatever stands in it, no other organization's events are found. */
function readCursor(cursor: string): AuditPlace {
  try {
    const [timestamp, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(timestamp) && Number.isSafeInteger(position))
      return { timestamp: timestamp as number, position: position as number }
  } catch {
    // It is no cursor at all.
  }
  const message = 'must be the cursor of the page before; leave it out to begin again'
  throw invalidRequest([{ in: 'query', name: 'cursor', message }])
}

/** All events that are asked for, newest first, some at a time. */
async function* everything(db: Db, org: number, filters: AuditFilters): AsyncGenerator<readonly AuditLink[]> {
  let place: AuditPlace | undefined
  do {
    const { links, next } = await listAudit(db, org, filters, exportedAtOnce, place)
    yield links
    place = next
  } while (place)
}

async function* auditLines(pages: AsyncIterable<readonly AuditLink[]>): AsyncGenerator<string> {
  for await (const links of pages) if (links.length > 0) yield links.map(auditLine).join('')
}
