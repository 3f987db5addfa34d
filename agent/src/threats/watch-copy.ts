import type { ControlMode } from '@muster/contract/controls'
import { deepTarget } from '../observe/deep-dom.ts'
import type { PageEar } from '../page-world/page-channel.ts'
import { actOnThreat } from './act-on-threat.ts'
import { isMaliciousCopy } from './shell-command.ts'

const textMaximum = 100_000

/** How long after a key or a menu a copy is the employee's. */
const ownCopyMs = 1_000
const menuMs = 60_000

function selectedText(): string {
  const { activeElement } = document
  if (activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement) {
    const { selectionStart, selectionEnd, value } = activeElement
    if (selectionStart !== null && selectionEnd !== null) return value.slice(selectionStart, selectionEnd)
  }
  return document.getSelection()?.toString() ?? ''
}

/** What a person can read: not what a page hides in a text field in order to copy it. */
const readable = (): string => (document.body?.innerText ?? '').slice(0, textMaximum)

const isPlainText = (format: string) => /^\s*text(?:\/plain)?\s*(?:;|$)/i.test(format)

/**
 * Watches for pages that put a command on the clipboard: in a `copy` event, by a script that selects and
 * copies, and by the clipboard's own interface (which the hook in the page's world tells of, `clipboard-hook.ts`).
 *
 * @param mode what is done; asked anew each time, for the policy comes later and may change
 * @param contact whom the employee may ask
 * @returns judge what the hook tells of; true refuses it
 */
export function watchCopy(
  mode: () => ControlMode,
  contact: () => string | null,
): Pick<PageEar, 'COPY' | 'COPY_DATA'> {
  let ownUntilMs = 0
  let copying: ClipboardEvent | null = null
  const own = (ms: number) => (event: Event) => {
    if (event.isTrusted) ownUntilMs = Math.max(ownUntilMs, event.timeStamp + ms)
  }
  const isCopyKey = (event: KeyboardEvent) =>
    (event.ctrlKey || event.metaKey) && ['c', 'x', 'insert'].includes(event.key.toLowerCase())
  window.addEventListener('keydown', (event) => isCopyKey(event) && own(ownCopyMs)(event), true)
  window.addEventListener('contextmenu', own(menuMs), true)

  /** Whether the text is kept from the clipboard. */
  const judge = (text: string, selected: string, put: () => void): boolean => {
    const now = mode()
    if (now === 'OFF' || !isMaliciousCopy(text.slice(0, textMaximum), selected, readable())) return false
    actOnThreat({ threat: 'MALICIOUS_COPY_PASTE', mode: now, appType: null, appName: null }, contact(), {
      onGoOn: put,
    })
    return now !== 'MONITOR'
  }
  const putBack = (text: string) => () => void navigator.clipboard?.writeText(text).catch(() => undefined)

  /** What the employee had selected, and copies themselves: no page puts that on the clipboard. */
  const ownSelection = (event: ClipboardEvent) => (event.timeStamp <= ownUntilMs ? selectedText() : '')
  const onCopy = (event: ClipboardEvent) => {
    if (!event.isTrusted) return
    copying = event
    const set = event.defaultPrevented ? (event.clipboardData?.getData('text/plain') ?? '') : ''
    const text = set || (deepTarget(event) ? selectedText() : '')
    if (!judge(text, ownSelection(event), putBack(text))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', '')
  }
  // First what is selected, before the page hears of it and may keep others from hearing; then what the page made of it.
  for (const isFirst of [true, false]) {
    window.addEventListener('copy', onCopy, isFirst)
    window.addEventListener('cut', onCopy, isFirst)
  }
  return {
    COPY: (text) => judge(text, '', putBack(text)),
    COPY_DATA: (said) => {
      // What is dragged is data as well.
      if (!copying || copying.eventPhase === Event.NONE) return false
      const [format = '', ...rest] = said.split('\0')
      const text = rest.join('\0')
      return isPlainText(format) && judge(text, ownSelection(copying), putBack(text))
    },
  }
}
