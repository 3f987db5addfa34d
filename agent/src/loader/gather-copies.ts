import { deepTarget } from '../observe/deep-dom.ts'
import type { PageListeners } from '../page-world/page-channel.ts'
import type { Copy } from './frame-watch.ts'

function selectedText(): string {
  const { activeElement } = document
  if (activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement) {
    const { selectionStart, selectionEnd, value } = activeElement
    if (selectionStart !== null && selectionEnd !== null) return value.slice(selectionStart, selectionEnd)
  }
  return document.getSelection()?.toString() ?? ''
}

const textMaximum = 100_000

const readableText = (): string => (document.body?.innerText ?? '').slice(0, textMaximum)

const isPlainText = (format: string) => /^\s*text(?:\/plain)?\s*(?:;|$)/i.test(format)

/** Time after a key press or an opened context menu within which a copy counts as the employee's. */
const ownCopyMs = 1_000
const menuMs = 60_000

/**
 * Captures what a page puts on the clipboard: in a `copy` event, by a script that selects and copies, and with the
 * clipboard API (reported by the hook in the page's world, `clipboard-hook.ts`).
 *
 * @param refusesCopy called with each text; returns true to keep it from the clipboard
 * @returns listeners for the hook; true refuses the text
 */
export function gatherCopies(
  refusesCopy: (copy: Copy) => boolean,
): Pick<PageListeners, 'COPY' | 'COPY_DATA'> {
  let copying: ClipboardEvent | null = null
  let ownUntilMs = 0
  const refuses = (text: string, selected: string) =>
    text !== '' && refusesCopy({ text: text.slice(0, textMaximum), selected, readable: readableText() })
  /** Selection that the employee copies: a page did not put it on the clipboard. */
  const ownSelection = (event: Event) =>
    event.timeStamp <= ownUntilMs ? selectedText().slice(0, textMaximum) : ''
  const onCopy = (event: ClipboardEvent) => {
    if (!event.isTrusted) return
    copying = event
    const set = event.defaultPrevented ? (event.clipboardData?.getData('text/plain') ?? '') : ''
    const text = set || (deepTarget(event) ? selectedText() : '')
    if (!refuses(text, ownSelection(event))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', '')
  }
  const own = (ms: number) => (event: Event) => {
    if (event.isTrusted) ownUntilMs = Math.max(ownUntilMs, event.timeStamp + ms)
  }
  const isCopyKey = ({ ctrlKey, metaKey, key }: KeyboardEvent) =>
    (ctrlKey || metaKey) && ['c', 'x', 'insert'].includes(key.toLowerCase())
  window.addEventListener('keydown', (event) => isCopyKey(event) && own(ownCopyMs)(event), true)
  window.addEventListener('contextmenu', own(menuMs), true)
  // First the selection, before the page gets the event and can stop it; then the data that the page set.
  for (const isFirst of [true, false]) {
    window.addEventListener('copy', onCopy, isFirst)
    window.addEventListener('cut', onCopy, isFirst)
  }
  return {
    COPY: (text) => refuses(text, ''),
    COPY_DATA: (said) => {
      // Dragged text is set as data as well.
      if (!copying || copying.eventPhase === Event.NONE) return false
      const [format = '', ...rest] = said.split('\0')
      return isPlainText(format) && refuses(rest.join('\0'), ownSelection(copying))
    },
  }
}
