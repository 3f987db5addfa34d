import { mayBeHost, shadowRootOf } from '../observe/deep-dom.ts'

/** Fields that may be part of a login: all text fields except apparent searches. */
const fields =
  'input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button],[type=image],[type=reset],[type=file],[type=range],[type=color],[type=date],[type=search],[role=searchbox],[name=q],[name=s],[name*=search i],[id*=search i],[role=search] *)'
const passwords = 'input[type=password]'

/** Time for which a page is searched. Later fields are found by their focus. */
const searchMs = 60_000
/** Minimum time between two searches of a page that keeps changing. */
const betweenMs = 1_000
/** Maximum number of elements searched for shadow roots, and number of elements between two checks of the deadline. */
const elementsMaximum = 20_000
const elementsAtOnce = 200

/** Waits until the browser is idle, at most two seconds. */
const idle = (): Promise<IdleDeadline> =>
  new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))

/** Returns true if a field is in a shadow root, open or closed. */
async function isInShadow(isStopped: () => boolean): Promise<boolean> {
  let deadline = await idle()
  let seen = 0
  const roots: Node[] = [document]
  for (let root = roots.pop(); root; root = roots.pop()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node && seen++ < elementsMaximum; node = walker.nextNode()) {
      const shadow = mayBeHost(node as Element) ? shadowRootOf(node as Element) : null
      if (shadow?.querySelector(fields)) return true
      if (shadow) roots.push(shadow)
      if (seen % elementsAtOnce > 0 || deadline.timeRemaining() > 1) continue
      deadline = await idle()
      if (isStopped()) return false
    }
  }
  return false
}

/**
 * Searches for login fields until one is found: for a password field as soon as the page is parsed, for others when the
 * browser is idle.
 *
 * @returns function that stops the search
 */
export function searchFields(onFound: () => void): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    if (document.querySelector(passwords)) return onFound()
    await idle()
    if (isStopped) return
    watcher.observe(document, { childList: true, subtree: true })
    if (document.querySelector(fields) || (await isInShadow(() => isStopped))) onFound()
  }
  const watcher = new MutationObserver(() => {
    watcher.disconnect()
    timer = setTimeout(look, betweenMs)
  })
  const stop = () => {
    isStopped = true
    watcher.disconnect()
    clearTimeout(timer)
    clearTimeout(end)
  }
  const end = setTimeout(stop, searchMs)
  const begin = () => void (isStopped || look())
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true })
  else begin()
  return stop
}
