import type { identityNow, pageFields } from './page-fields.ts'
import type { formIdentity } from './readers/form-identity.ts'

/**
 * Functions of the observer that read fields. They are passed to the observer's parts, because a separate bundle would
 * contain their code, word lists and state a second time.
 */
export interface FieldReading {
  readonly pageFields: typeof pageFields
  readonly identityNow: typeof identityNow
  readonly formIdentity: typeof formIdentity
}
