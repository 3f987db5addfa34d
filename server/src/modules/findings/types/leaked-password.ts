import type { PasswordFacts } from '@muster/contract/agent-event'
import { resolved, type Wanted } from './wanted.ts'

/**
 * A login says that its password is known to the range service; a later one says that it is not (domain contract,
 * section 5). Where that was not asked, a login says nothing.
 */
export function leakedPassword({
  leaked,
  passwordId,
}: Pick<PasswordFacts, 'leaked' | 'passwordId'>): Wanted | undefined {
  if (leaked === null) return undefined
  return leaked ? { open: true, passwordId } : resolved
}
