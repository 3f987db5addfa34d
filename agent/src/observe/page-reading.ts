import type { identityNow, pageFields } from './page-fields.ts'
import type { formIdentity } from './readers/form-identity.ts'

/**
 * Functions of the observer that read fields. A part of the observer is given them: as a bundle apart it would have their
 * words, and their state, a second time.
 */
export interface FieldReading {
  readonly pageFields: typeof pageFields
  readonly identityNow: typeof identityNow
  readonly formIdentity: typeof formIdentity
}
