import { closed, count, email } from '../../api/fields.ts'
import { consoleOperation } from '../console-operation.ts'

/** Formats of a file with all data about a person. */
export const personalDataFormats = ['json', 'html'] as const
export type PersonalDataFormat = (typeof personalDataFormats)[number]

/** Access to all data about a person. */
export const personalDataAccess = { access: 'FULL_ACCESS', sensitive: true } as const

/** Operations on all data about a person. The file itself is a download: `/console/api/employees/:id/data`. */
export const personalDataOperations = {
  readPersonalDataScope: consoleOperation({
    method: 'GET',
    path: '/console/api/employees/:id/data-scope',
    ...personalDataAccess,
    summary: 'Read which person a file with all personal data would be about.',
    response: closed(
      {
        email: email('Primary address of the employee.'),
        mergedEmployees: count('Number of merged employees, whose data is included.', 0),
      },
      { description: 'The person.' },
    ),
  }),
} as const
