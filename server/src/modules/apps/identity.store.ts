import type { IdentityKind } from '@muster/contract/console/console-filters'
import type { Fragment } from '../../kernel/query/predicates.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { workIdentitiesOf } from '../ingest/work-identities.rules.ts'

/** Returns the condition that an account is of a kind. `email` is the column with its name. */
export type IdentityTest = (kind: IdentityKind, email: string, org: string) => Fragment

const escaped = (text: string): string => text.replaceAll(/[!%_]/g, (character) => `!${character}`)

/**
 * Reads the work domains of an organization and returns the condition for a kind of identity. A work domain is the domain of
 * an employee's address, unless it is a public mail service; of those, only the addresses of employees count.
 */
export async function readIdentityTest(db: Reader, org: number): Promise<IdentityTest> {
  // The part after the last @: what precedes it ends with the last character that is an @.
  const domain = "replace(address, rtrim(address, replace(address, '@', '')), '')"
  const rows = await db.all<{ domain: string }>(
    `SELECT DISTINCT ${domain} AS domain FROM employee_addresses WHERE org = ?`,
    [org],
  )
  const patterns = workIdentitiesOf(rows.map((row) => `any@${row.domain}`))
    .filter((identity) => identity.startsWith('@'))
    .map((identity) => `%${escaped(identity)}`)
  return (kind, email, orgColumn) => {
    const hasAddress = `EXISTS (SELECT 1 FROM employee_addresses x WHERE x.org = ${orgColumn} AND x.address = ${email} LIMIT 1 OFFSET 0)`
    const work: Fragment = {
      sql: `(${[...patterns.map(() => `${email} LIKE ? ESCAPE '!'`), hasAddress].join(' OR ')})`,
      params: patterns,
    }
    if (kind === 'WORK') return work
    if (kind === 'USER_NAME')
      return { sql: `(${email} NOT LIKE '%@%' AND NOT ${work.sql})`, params: patterns }
    return { sql: `(${email} LIKE '%@%' AND NOT ${work.sql})`, params: patterns }
  }
}
