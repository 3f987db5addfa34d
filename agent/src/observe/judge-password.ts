import type { AttemptPassword } from '../logins/login-messages.ts'
import type { PasswordKit } from '../logins/observation-messages.ts'
import { fingerprintOf } from '../password/fingerprint.ts'
import { sha1 } from '../password/sha1.ts'
import { weakReasons } from '../password/weak-reasons.ts'

/** Longer texts are no passwords; hashing them would hold the page up. */
const lengthMaximum = 1_024

/**
 * Makes of a password what the background needs, at once and in the page's own process: a moment later the
 * page may be gone. The password itself is sent nowhere. Where the policy asks for checks against leaked or
 * stolen passwords, its SHA-1, with which both begin, goes to the background, which keeps it no longer than
 * they take; only the prefix of the range look-up leaves the browser.
 *
 * @returns null for what is no password
 */
export function judgePassword(
  password: string,
  kit: PasswordKit,
  manuallyTyped: boolean | null,
): AttemptPassword | null {
  if (password.length === 0 || password.length > lengthMaximum) return null
  return {
    fingerprint: fingerprintOf(kit.salt, password),
    length: password.length,
    sha1: kit.wantsSha1 ? sha1(password) : null,
    weakReasons: weakReasons(password, new Set(kit.commonWords.split('\n')), kit.restrictedWords),
    manuallyTyped,
  }
}
