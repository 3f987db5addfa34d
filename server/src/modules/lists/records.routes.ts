import { invalidRequest } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import { employees } from '@muster/contract/records/employee'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bindOperations, type Services } from '../../kernel/http/bind.ts'
import { readQuery } from '../../kernel/http/query.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import { type Admission, admit } from '../console/console-bind.ts'
import type { FoundSession } from '../console/console-sessions.ts'
import { sessionPrincipal } from '../console/session-principal.ts'

const reads = { access: 'READ_ONLY', sensitive: false } as const
const writes = { access: 'FULL_ACCESS', sensitive: false } as const

/** Number of employees that a page of a list can refer to. */
const peopleMaximum = 100

/**
 * Registers every operation of `/v1` under `/console/api/records`, with the same rules and actions but a session in place
 * of a key. Operations that change something need `FULL_ACCESS`.
 */
export async function registerRecords(
  app: FastifyInstance,
  admission: Admission,
  services: Services,
): Promise<void> {
  await app.register(
    async (records) => {
      records.addHook('onRequest', async (request) => {
        const changes = request.method !== 'GET' && request.method !== 'HEAD'
        await admit(request, admission, changes ? writes : reads)
        request.principal = sessionPrincipal(sessionOf(request))
      })
      bindOperations(records, services)
    },
    { prefix: '/records' },
  )
  registerPeople(app, admission)
}

const idParameter: QueryParameter = {
  name: 'id',
  description: 'An employee; repeat it for several.',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  maxValues: peopleMaximum,
  example: '',
}

/** Returns employees by ID, for pages of accounts, browsers or findings, which contain only their IDs. */
function registerPeople(app: FastifyInstance, admission: Admission): void {
  const parameters = new Map([[idParameter.name, idParameter]])
  app.get('/people', {
    onRequest: (request) => admit(request, admission, reads),
    handler: async (request, reply) => {
      const { org } = sessionOf(request).administrator
      const { id } = readQuery(request.url, parameters)
      const ids = [id ?? []].flat().map(String)
      if (ids.length === 0) {
        throw invalidRequest([{ in: 'query', name: 'id', message: 'is required: the ID of an employee' }])
      }
      const found = await Promise.all(ids.map((one) => readRecordText(admission.db, employees, org, one)))
      const texts = found.filter((text) => text !== undefined)
      return reply.type('application/json; charset=utf-8').send(`{"records":[${texts.join(',')}]}`)
    },
  })
}

function sessionOf({ consoleSession }: FastifyRequest): FoundSession {
  if (!consoleSession) throw new Error('a record route was called without a session')
  return consoleSession
}
