import type { IdentityKind } from '@muster/contract/console/console-filters'
import type { Fragment } from '../../kernel/query/predicates.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { workIdentitiesOf } from '../ingest/work-identities.rules.ts'

/** Returns the condition that an account is of a kind. `email` is the column with its name. */
export type IdentityTest = (kind: IdentityKind, email: string, org: string) => Fragment

/** Returns SQL for the text after the last @: what precedes it ends with the last character that is an @. */
const domainOf = (text: string): string => `replace(${text}, rtrim(${text}, replace(${text}, '@', '')), '')`

/**
 * Reads the work domains of an organization and returns the condition for a kind of identity. A work domain is the domain of
 * an employee's address, unless it is a public mail service; of those, only the addresses of employees count.
 */
export async function readIdentityTest(db: Reader, org: number): Promise<IdentityTest> {
  return identityTest(db, await readWorkDomains(db, org))
}

/** Reads the work domains of an organization, sorted. */
export async function readWorkDomains(db: Reader, org: number): Promise<string[]> {
  const rows = await db.all<{ domain: string }>(
    `SELECT DISTINCT ${domainOf('address')} AS domain FROM employee_addresses WHERE org = ?`,
    [org],
  )
  return workIdentitiesOf(rows.map(({ domain }) => `any@${domain}`))
    .filter((identity) => identity.startsWith('@'))
    .map((identity) => identity.slice(1))
}

/** Returns the condition for a kind of identity in an organization with these work domains. */
export function identityTest({ dialect }: Reader, domains: readonly string[]): IdentityTest {
  // One parameter: SQLite refuses a condition with a thousand terms.
  const params = [JSON.stringify(domains)]
  return (kind, email, orgColumn) => {
    const hasAddress = `EXISTS (SELECT 1 FROM employee_addresses x WHERE x.org = ${orgColumn} AND x.address = ${email} LIMIT 1 OFFSET 0)`
    const isAddress = `${email} LIKE '%@%'`
    const isWork = `((${isAddress} AND ${dialect.textIn(domainOf(email))}) OR ${hasAddress})`
    if (kind === 'WORK') return { sql: isWork, params }
    return { sql: `(${kind === 'PRIVATE' ? isAddress : `NOT ${isAddress}`} AND NOT ${isWork})`, params }
  }
}
