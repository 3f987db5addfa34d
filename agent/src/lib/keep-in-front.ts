import { isOwn } from './own-elements.ts'

/** How often a page may take something of the agent away, or cover it, before it counts as fighting it. */
const restoredMaximum = 12
/** What a page has laid over it is not told by any event. */
const lookEveryMs = 250

/** Whether a person sees what the agent shows: nothing of the page is in front of it. There may be two of the agent's. */
function isInFront(): boolean {
  const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  // Nothing is seen of a frame without size.
  return seen === null || isOwn(seen)
}

/**
 * Shows a dialog in front of the page, and again when the page takes it away or covers it.
 *
 * @param host of the closed shadow root that the dialog is in; marked as the agent's own
 * @param onFight the page does not stop; nothing is shown any more
 * @returns takes it away
 */
export function keepInFront(host: HTMLElement, dialog: HTMLDialogElement, onFight: () => void): () => void {
  let restored = 0
  const show = () => {
    if (!host.isConnected) document.documentElement.append(host)
    if (!dialog.open) dialog.showModal()
  }
  const takeAway = () => {
    watcher.disconnect()
    clearInterval(timer)
    host.remove()
  }
  const restore = () => {
    if (restored++ === restoredMaximum) {
      takeAway()
      return onFight()
    }
    // What was taken out is open still, and only what is opened anew comes to the front.
    dialog.close()
    show()
  }
  const watcher = new MutationObserver(() => {
    if (!host.isConnected) restore()
  })
  const timer = setInterval(() => {
    if (!host.isConnected || !dialog.open || !isInFront()) restore()
  }, lookEveryMs)
  show()
  watcher.observe(document, { childList: true, subtree: true })
  return takeAway
}
