import { isOwn } from './own-elements.ts'
import { watchSight } from './sight.ts'
import { onTopLayer } from './top-layer.ts'

/** How often a page may take something of the agent away, or cover it, before it counts as fighting it. */
const restoredMaximum = 12
/** What a page has laid over it is not told by any event. */
const lookEveryMs = 250
/** Nobody has read what was not in front for this long. */
const readMs = 500

/** What is seen in the middle, of all that can be clicked: beside a modal dialog nothing can. */
const seen = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)

/** Whether a person sees what the agent shows: nothing of the page is in front of it. There may be two of the agent's. */
function isInFront(): boolean {
  const element = seen()
  // Nothing is seen of a frame without size.
  return element === null || isOwn(element)
}

/** What is kept in front of a page. */
export interface KeptInFront {
  takeAway(): void
  /** Whether it was in front long enough for a press on it to be meant. */
  isRead(): boolean
}

/**
 * Shows a dialog in front of the page, and again when the page takes it away or covers it.
 *
 * @param host of the closed shadow root that the dialog is in; marked as the agent's own
 * @param onFight the page does not stop, which is told again and again; the dialog stays until the page is gone
 */
export function keepInFront(host: HTMLElement, dialog: HTMLDialogElement, onFight: () => void): KeptInFront {
  let restored = 0
  let restoredMs = Number.NEGATIVE_INFINITY
  const show = () => {
    if (!host.isConnected) document.documentElement.append(host)
    if (!dialog.open) dialog.showModal()
  }
  const restore = () => {
    restored++
    restoredMs = performance.now()
    if (restored >= restoredMaximum) endFight()
    // What was taken out is open still, and only what is opened anew comes to the front.
    dialog.close()
    show()
    sight.lookAnew()
  }
  /** Two that answer each other at once would hold the tab up until neither could leave it. */
  const endFight = () => {
    watcher.disconnect()
    forgetTopLayer()
    if (restored % restoredMaximum === 0) onFight()
  }
  const watcher = new MutationObserver(() => {
    if (!host.isConnected) restore()
  })
  const timer = setInterval(() => {
    if (!host.isConnected || !dialog.open || !isInFront()) restore()
  }, lookEveryMs)
  // The event comes before the element.
  const forgetTopLayer = onTopLayer(() => queueMicrotask(restore))
  const sight = watchSight(dialog, () => {
    if (seen() === host) restore()
  })
  show()
  watcher.observe(document, { childList: true, subtree: true })
  return {
    takeAway: () => {
      watcher.disconnect()
      forgetTopLayer()
      sight.end()
      clearInterval(timer)
      host.remove()
    },
    isRead: () => performance.now() - restoredMs > readMs,
  }
}
