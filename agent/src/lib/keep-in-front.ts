import { watchOcclusion } from './occlusion.ts'
import { isOwn } from './own-elements.ts'
import { onTopLayer } from './top-layer.ts'

/** Maximum number of times a page may remove or cover the dialog before that counts as fighting it. */
const restoredMaximum = 12
/** Polling interval, because no event reports that the page covers the dialog. */
const lookEveryMs = 250
/** Minimum time in front before a press on the dialog counts as intended. */
const readMs = 500

/** Returns the topmost clickable element in the middle of the page. Outside a modal dialog nothing is clickable. */
const seen = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)

/** Returns true if nothing of the page covers the agent's dialog. The agent may show two. */
function isInFront(): boolean {
  const element = seen()
  // A frame without size shows nothing.
  return element === null || isOwn(element)
}

/** Dialog that is kept in front of a page. */
export interface KeptInFront {
  removeDialog(): void
  /** Returns true if the dialog was in front long enough for a press on it to be intended. */
  isRead(): boolean
}

/**
 * Shows a dialog in front of the page, and restores it when the page removes or covers it.
 *
 * @param host host of the dialog's closed shadow root, marked as the agent's own
 * @param onFight called repeatedly while the page keeps fighting; the dialog stays until the page is gone
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
    // A removed dialog stays open, and only a newly opened one moves to the front.
    dialog.close()
    show()
    occlusion.recheck()
  }
  /** Stops immediate reactions: page and agent reacting to each other would freeze the tab. */
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
  // The event fires before the element enters the top layer.
  const forgetTopLayer = onTopLayer(() => queueMicrotask(restore))
  const occlusion = watchOcclusion(dialog, () => {
    if (seen() === host) restore()
  })
  show()
  watcher.observe(document, { childList: true, subtree: true })
  return {
    removeDialog: () => {
      watcher.disconnect()
      forgetTopLayer()
      occlusion.end()
      clearInterval(timer)
      host.remove()
    },
    isRead: () => performance.now() - restoredMs > readMs,
  }
}
