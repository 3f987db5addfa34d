import { notFound } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import {
  type PersonalDataFormat,
  personalDataAccess,
  personalDataFormats,
  type personalDataOperations,
} from '@muster/contract/console/people/console-personal-data'
import type { FastifyInstance } from 'fastify'
import { storableId } from '../../kernel/actions/read.ts'
import { readQuery } from '../../kernel/http/query.ts'
import { auditContext } from '../console/audit-context.ts'
import { admit, type ConsoleHandlers, callOf } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { sendFile } from '../console/send-file.ts'
import { readPerson } from '../employees/find-person.ts'
import { exportPerson } from './export-person.ts'

export function personalDataHandlers({
  db,
}: ConsoleParts): ConsoleHandlers<keyof typeof personalDataOperations> {
  return {
    readPersonalDataScope: async ({ caller }, _body, id) => {
      const [{ email }, ...merged] = await readPerson(db, caller.administrator.org, id)
      return { email, mergedEmployees: merged.length }
    },
  }
}

const formatParameter: QueryParameter = {
  name: 'format',
  description: 'The format of the file.',
  maxValues: 1,
  example: 'json',
  schema: { type: 'string', enum: personalDataFormats },
}
const parameters = new Map([[formatParameter.name, formatParameter]])

/** Registers the download of all data about a person. */
export function registerPersonalData(app: FastifyInstance, parts: ConsoleParts): void {
  const { db, clock, log, keys } = parts
  app.get('/employees/:id/data', {
    onRequest: (request) => admit(request, parts, personalDataAccess),
    handler: async (request, reply) => {
      const { id } = request.params as { id: string }
      if (!storableId(id)) throw notFound()
      const format = (readQuery(request.url, parameters).format ?? 'json') as PersonalDataFormat
      const call = callOf(request, reply, clock)
      const { org } = call.caller.administrator
      const wanted = { org, employeeId: id, format, keys, by: auditContext(call) }
      return sendFile(reply, log, {
        name: `personal-data-${id}.${format}`,
        type: format === 'json' ? 'application/json' : 'text/html',
        parts: await exportPerson(db, wanted),
      })
    },
  })
}
