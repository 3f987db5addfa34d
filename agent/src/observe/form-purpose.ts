/**
 * Purpose of a form. `FIRST_STEP` asks only for an identity, `CODE` only for a one-time code, `SET_PASSWORD` sets a
 * password without the present one (reset, invitation), `NEW_USER` creates a user for somebody else, `CONNECTION`
 * holds the address and credentials of another server, `SETUP` sets up a new installation.
 */
export type FormPurpose =
  | 'SIGN_IN'
  | 'FIRST_STEP'
  | 'SIGN_UP'
  | 'CODE'
  | 'CHANGE_PASSWORD'
  | 'SET_PASSWORD'
  | 'NEW_USER'
  | 'CONNECTION'
  | 'SETUP'
  | 'OTHER'

/** Counts and words of one form. */
export interface FormOutline {
  readonly currentPasswords: number
  readonly newPasswords: number
  readonly identityFields: number
  readonly codeFields: number
}

/** Returns the purpose of a form from what it asks for. */
export function formPurpose({
  currentPasswords,
  newPasswords,
  identityFields,
  codeFields,
}: FormOutline): FormPurpose {
  if (currentPasswords > 0 && newPasswords > 0) return 'CHANGE_PASSWORD'
  if (currentPasswords > 0) return 'SIGN_IN'
  if (newPasswords > 0) return identityFields > 0 ? 'SIGN_UP' : 'SET_PASSWORD'
  if (codeFields > 0) return 'CODE'
  return identityFields > 0 ? 'FIRST_STEP' : 'OTHER'
}
