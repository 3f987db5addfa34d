import { type Employee, employees } from '@muster/contract/records/employee'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { findBrowserCredential } from '../browsers/browser-credentials.service.ts'
import type { AgentPrincipal } from './agent-principal.ts'

/** Returns the browser of a credential hash; undefined if unknown or revoked. */
export async function findAgent(db: Db, hash: string): Promise<AgentPrincipal | undefined> {
  const found = await findBrowserCredential(db, hash)
  if (!found || found.revokedTimestamp !== null) return undefined
  return { org: found.org, browserId: found.browserId, employeeId: found.employeeId }
}

/** Returns the employee that a browser was enrolled for; undefined if erased. */
export async function employeeOf(
  reader: Reader,
  { org, employeeId }: AgentPrincipal,
): Promise<Employee | undefined> {
  const text = await readRecordText(reader, employees, org, employeeId)
  return text === undefined ? undefined : (JSON.parse(text) as Employee)
}
