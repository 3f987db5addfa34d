import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { Detection } from '@muster/contract/records/detection'
import { Employee } from '@muster/contract/records/employee'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'

const firstNames = [
  'Ada',
  'Grace',
  'Edsger',
  'Barbara',
  'Donald',
  'Margaret',
  'Tony',
  'Frances',
  'Niklaus',
  'Adele',
]
const lastNames = [
  'Byron',
  'Hopper',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Hamilton',
  'Hoare',
  'Allen',
  'Wirth',
  'Goldberg',
]
const nowSeconds = Math.floor(Date.now() / 1000)

const example = <T>(schema: unknown): T => exampleOf(schema as JsonSchema) as T

/** Returns a hundred employees with unique names, and a detection for every tenth. */
export function consoleRecords(): { employees: Employee[]; detections: Detection[] } {
  const employees = lastNames.flatMap((lastName, place) =>
    firstNames.map((firstName, index): Employee => {
      const creationTimestamp = nowSeconds - 86_400 * (100 - place * 10 - index)
      return {
        ...example<Employee>(Employee),
        id: newId(creationTimestamp * 1000),
        email: `${firstName}.${lastName}@example.com`.toLowerCase(),
        firstName,
        lastName,
        groups: [],
        secondaryEmails: [],
        mergedIntoId: null,
        creationTimestamp,
      }
    }),
  )
  const detections = employees
    .filter((_, index) => index % 10 === 0)
    .map((employee): Detection => {
      const { groups: _groups, secondaryEmails: _addresses, mergedIntoId: _merged, ...shown } = employee
      return {
        ...example<Detection>(Detection),
        id: newId(nowSeconds * 1000),
        employeeId: employee.id,
        employee: shown,
        browserId: null,
        appId: null,
        appType: null,
        archived: false,
        classification: 'NOT_CLASSIFIED',
        url: 'https://login.example.net/<img src=x onerror=alert(1)>',
        creationTimestamp: nowSeconds - 3600,
        lastActivityTimestamp: nowSeconds - 60,
      }
    })
  return { employees, detections }
}
