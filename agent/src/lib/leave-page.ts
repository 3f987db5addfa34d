import { ask } from '../messages.ts'

/** How long the page before may take to come. If this one is still there then, it leads nowhere else. */
const backMs = 2_000

/** Leaves the page for the one before it, or for an empty one where there is none, or the page does not let go. */
export function leavePage(): void {
  void ask('leavePage', { to: 'BACK' })
  const timer = setTimeout(leaveForGood, backMs)
  // The browser may keep a page that was left, and show it again as it was.
  window.addEventListener('pagehide', ({ isTrusted }) => isTrusted && clearTimeout(timer), { once: true })
}

/** Leaves the page for an empty one. */
export const leaveForGood = (): void => void ask('leavePage', { to: 'EMPTY' })
