import { deepAll, isVisible } from './deep-dom.ts'

/** Marks of a page that somebody is signed in to. */
export interface SignedInMarks {
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  readonly accountMenu: boolean
}

/** Finds a control that signs out, and an account menu. */
export function signedInMarks(): SignedInMarks {
  const controls = deepAll(document, 'a[href*="logout" i], a[href*="signout" i], a[href*="sign_out" i]')
  const signOut = controls.some(isVisible) ? 'SHOWN' : controls.length > 0 ? 'HIDDEN' : null
  return { signOut, accountMenu: false }
}
