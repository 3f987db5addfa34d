import { sessionIdleSeconds } from '@muster/contract/console/session-limits'

/** Message between the tabs of a browser, which share one session. */
type TabMessage =
  /** A tab signed out: other tabs drop their content. */
  | 'signed-out'
  /** The session ended, or a tab signed in: other tabs ask the server. */
  | 'changed'
  /** A request extended the session. */
  | 'used'

/** One extra second for clock differences, so the session has ended when the server is asked. */
const idleMs = (sessionIdleSeconds + 1) * 1000
/** Minimum interval between `used` messages. */
const notifyUseEveryMs = 20_000

const channel = new BroadcastChannel('muster.session')
let usedMs = Date.now()
let notifiedUseMs = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends a message to the other tabs. */
export const notifyTabs = (message: TabMessage): void => channel.postMessage(message)

/** Records that a request has extended the session. */
export function recordUse(): void {
  usedMs = Date.now()
  if (usedMs - notifiedUseMs < notifyUseEveryMs) return
  notifiedUseMs = usedMs
  notifyTabs('used')
}

/**
 * Follows the session in other tabs, and detects when it expires because no tab has used it.
 *
 * @param on.signedOut runs when somebody signs out in another tab
 * @param on.changed runs when the server must be asked who is signed in
 */
export function watchTabs(on: { readonly signedOut: () => void; readonly changed: () => void }): void {
  const check = () => {
    clearTimeout(timer)
    const leftMs = usedMs + idleMs - Date.now()
    timer = setTimeout(check, leftMs > 0 ? leftMs : idleMs)
    if (leftMs <= 0) on.changed()
  }
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'signed-out') on.signedOut()
    else if (data === 'changed') on.changed()
    else usedMs = Date.now()
  })
  // Timers do not run while a computer sleeps.
  document.addEventListener('visibilitychange', check)
  check()
}
