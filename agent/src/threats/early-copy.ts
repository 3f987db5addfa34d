import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { Copy } from '../loader/frame-watch.ts'
import type { LoginDeps } from '../logins/login-deps.ts'
import { isMaliciousCopy } from './shell-command.ts'

/**
 * Reports a command that a page copied before its frame was observed. The page may be gone, so nothing was shown there,
 * whatever the mode. If the page reports it later, the server merges both into one detection.
 *
 * @returns true if it was reported
 */
export async function reportEarlyCopy(
  deps: LoginDeps,
  pageUrl: string,
  { text, selected, readable }: Copy,
): Promise<boolean> {
  const mode = (await deps.policy())?.maliciousCopyPaste.mode ?? 'OFF'
  const url = trimmedUrl(pageUrl)
  if (mode === 'OFF' || url === null || !isMaliciousCopy(text, selected, readable)) return false
  return deps.report({
    kind: 'PAGE_THREAT',
    threat: 'MALICIOUS_COPY_PASTE',
    url,
    referrerUrl: null,
    mode,
    response: 'MONITORED',
    passwordEntered: false,
    appType: null,
  })
}
