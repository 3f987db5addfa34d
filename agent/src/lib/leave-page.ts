import { ask } from '../messages.ts'

/** Maximum time for the previous page to load. If this page is still shown then, going back did not leave it. */
const backMs = 2_000

/** Leaves the page for the previous one, or for an empty one if there is none or the page blocks it. */
export function leavePage(): void {
  void ask('leavePage', { to: 'BACK' })
  const timer = setTimeout(leaveForGood, backMs)
  // The browser may keep the page and restore it with its timers.
  window.addEventListener('pagehide', ({ isTrusted }) => isTrusted && clearTimeout(timer), { once: true })
}

/** Leaves the page for an empty one. */
export const leaveForGood = (): void => void ask('leavePage', { to: 'EMPTY' })
