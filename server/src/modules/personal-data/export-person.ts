import type { PersonalDataFormat } from '@muster/contract/console/people/console-personal-data'
import type { By } from '../../kernel/actions/audit-record-changes.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { organizationName } from '../../kernel/organizations/organizations.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { readPerson } from '../employees/find-person.ts'
import { personHtml } from './person-html.ts'
import { personJson } from './person-json.ts'
import { personalData } from './personal-data.ts'

/** Request for all data about a person. */
export interface PersonExport {
  readonly org: number
  readonly employeeId: string
  readonly format: PersonalDataFormat
  readonly keys: Pick<DerivedKeys, 'addressHmac'>
  readonly by: By
}

/**
 * Returns all data about a person as a file in parts. The export is audited before the first part: a partial file is an
 * export, too.
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function exportPerson(
  db: Db,
  { org, employeeId, format, keys, by }: PersonExport,
): Promise<AsyncGenerator<string>> {
  const person = await readPerson(db, org, employeeId)
  const facts = {
    what: `all data of employee ${employeeId}`,
    format: format === 'json' ? 'JSON' : 'HTML',
    count: 0,
  } as const
  await db.inTransaction((tx) => recordAudit(tx, org, 'DATA_EXPORTED', { ...by, new: facts }))
  const head = {
    email: person[0].email,
    organization: await organizationName(db, org),
    createdTimestamp: by.timestamp,
  }
  const sections = personalData(db, org, person, { keys, nowSeconds: by.timestamp })
  return format === 'json' ? personJson(head, sections) : personHtml(head, sections)
}
