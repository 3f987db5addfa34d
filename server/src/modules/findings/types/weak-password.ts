import type { PasswordFacts } from '@muster/contract/agent-event'
import { resolved, type Wanted } from './wanted.ts'

/** A login says that its password is weak, and why; a later one says that it is not (domain contract, section 5). */
export const weakPassword = ({
  weakReasons,
  passwordId,
}: Pick<PasswordFacts, 'weakReasons' | 'passwordId'>): Wanted =>
  weakReasons.length > 0 ? { open: true, passwordId, weakPasswordReasons: weakReasons } : resolved
