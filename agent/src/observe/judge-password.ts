import type { AttemptPassword } from '../logins/login-messages.ts'
import type { PasswordKit } from '../logins/observation-messages.ts'
import { fingerprintOf } from '../password/fingerprint.ts'
import { sha1 } from '../password/sha1.ts'
import { weakReasons } from '../password/weak-reasons.ts'

/** Maximum length of a password. Hashing a longer text would block the page. */
const lengthMaximum = 1_024

/**
 * Derives the data that the background needs from a password. Runs synchronously in the page's process, because the
 * page may be gone a moment later. The password itself is never sent. If the policy enables checks against leaked or
 * stolen passwords, its SHA-1 goes to the background, which discards it after the checks; only the prefix of the range
 * lookup leaves the browser.
 *
 * @returns null if the text is not a password
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
