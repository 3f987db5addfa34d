import { shortHash } from '../lib/short-hash.ts'
import type { LoginAttempt } from '../logins/login-messages.ts'
import { judgePassword } from './judge-password.ts'
import { readPageFacts } from './page-facts.ts'
import type { Credentials } from './page-fields.ts'
import type { FieldReading } from './page-reading.ts'
import { pageLook, pageState } from './page-state.ts'

/** Reads the submitted form and the page around it. */
function readSubmittedForm(
  reading: FieldReading,
  { identity, form, code }: Credentials,
): Pick<LoginAttempt, 'form' | 'code' | 'before'> {
  const facts = readPageFacts(reading, identity && shortHash(identity.toLowerCase()))
  const purpose = facts.forms.find(({ key }) => key === form.key)?.purpose ?? 'OTHER'
  const method = facts.secondStep === 'UNKNOWN' ? null : facts.secondStep
  return {
    form: { signature: shortHash(form.signature), purpose },
    code: code && code !== 'EMPTY' ? { state: code, method } : null,
    before: pageLook(facts),
  }
}

/** Reads a login step submitted without a password: an identity or a code. */
function readSubmittedStep(reading: FieldReading): {
  readonly isAskedAlone: boolean
  readonly isCodeEntered: boolean
} {
  const { forms, code } = readPageFacts(reading)
  return {
    isAskedAlone: forms.some(({ purpose }) => purpose === 'FIRST_STEP'),
    isCodeEntered: code?.state === 'ENTERED',
  }
}

/** Part of the observer that is loaded when a login attempt starts: judges the password and reads the page. */
export const loginPart = { readSubmittedForm, judgePassword, pageState, readSubmittedStep }
