import type { PasswordFacts } from '@muster/contract/agent-event'
import { resolved, type Wanted } from './wanted.ts'

/**
 * A login matched a stolen credential; resolved by a login with another password that did not (domain contract,
 * section 5). That the same password no longer matches, because the list has changed, resolves nothing, nor does a login whose
 * password was not checked.
 *
 * @param found the password that the finding is about; null if there is none
 */
export function stolenPassword(
  { stolenIds, passwordId }: Pick<PasswordFacts, 'stolenIds' | 'passwordId'>,
  found: string | null,
): Wanted | undefined {
  if (stolenIds === null) return undefined
  if (stolenIds.length > 0) return { open: true, passwordId }
  return passwordId === found ? undefined : resolved
}
