import { mayBeHost, shadowRootOf } from '../observe/deep-dom.ts'

/** Fields that may be part of a login: all that take text, but for what looks like a search. */
const fields =
  'input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button],[type=image],[type=reset],[type=file],[type=range],[type=color],[type=date],[type=search],[role=searchbox],[name=q],[name=s],[name*=search i],[id*=search i],[role=search] *)'
const passwords = 'input[type=password]'

/** For how long a page is looked at; later fields are found by their focus. */
const searchMs = 60_000
/** A page that never stops changing is not looked at more often. */
const betweenMs = 1_000
/** Elements that are looked at for shadow roots in one search, and between two looks at the clock. */
const elementsMaximum = 20_000
const elementsAtOnce = 200

/** Waits until the page has nothing better to do, for two seconds at most. */
const idle = (): Promise<IdleDeadline> =>
  new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))

/** True if a field is in a shadow root, also a closed one. */
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
 * Looks for fields that a login may have, until there is one: for a password as soon as the page is parsed, for others when
 * the browser is idle.
 *
 * @returns stops looking
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
