import { invalidRequest } from '@muster/contract/api/errors'
import type { incidentOperations } from '@muster/contract/console/incidents/console-incidents'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { changeIncident, readPosition } from './change-incident.ts'
import { readIncident } from './read-incident.ts'

/** Handlers of incidents. */
export const incidentHandlers = ({ db }: ConsoleParts): ConsoleHandlers<keyof typeof incidentOperations> => ({
  readIncident: ({ caller }, _body, id) => readIncident(db.slow, caller.administrator.org, id),

  changeIncident: (call, { cursor, ...change }, id) => {
    if (Object.keys(change).length === 0)
      throw invalidRequest([
        {
          in: 'body',
          name: 'body',
          message: 'must have at least one of assigneeId, classification, archived, note',
        },
      ])
    const { administrator } = call.caller
    return changeIncident(db, { administrator, audit: auditContext(call) }, id, change, readPosition(cursor))
  },
})
