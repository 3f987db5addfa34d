import type { ControlMode } from '@muster/contract/controls'
import type { Copy } from '../loader/frame-watch.ts'
import { onPageEvent } from '../observe/page-events.ts'
import { actOnThreat } from './act-on-threat.ts'
import { isMaliciousCopy } from './shell-command.ts'

/** How long after a key or a menu a copy is the employee's. */
const ownCopyMs = 1_000
const menuMs = 60_000

/**
 * Judges what is put on the clipboard.
 *
 * @param mode what is done; asked anew each time, for the policy may change
 * @param contact whom the employee may ask
 * @returns judges a text; true refuses it
 */
export function watchCopy(mode: () => ControlMode, contact: () => string | null): (copy: Copy) => boolean {
  let ownUntilMs = 0
  const own = (ms: number) => (event: Event) => {
    if (event.isTrusted) ownUntilMs = Math.max(ownUntilMs, event.timeStamp + ms)
  }
  const isCopyKey = (event: KeyboardEvent) =>
    (event.ctrlKey || event.metaKey) && ['c', 'x', 'insert'].includes(event.key.toLowerCase())
  onPageEvent('keydown', (event) => isCopyKey(event) && own(ownCopyMs)(event))
  onPageEvent('contextmenu', own(menuMs))
  const putBack = (text: string) => () => void navigator.clipboard?.writeText(text).catch(() => undefined)
  return ({ text, selected, timeMs, readable }) => {
    const now = mode()
    // What the employee had selected, and copies themselves: no page puts that on the clipboard.
    const ownSelection = timeMs <= ownUntilMs ? selected : ''
    if (now === 'OFF' || !isMaliciousCopy(text, ownSelection, readable)) return false
    actOnThreat({ threat: 'MALICIOUS_COPY_PASTE', mode: now, appType: null, appName: null }, contact(), {
      onGoOn: putBack(text),
    })
    return now !== 'MONITOR'
  }
}

/** Takes a text off the clipboard that was copied before it could be judged. */
export function emptyClipboard(): void {
  const clear = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', '')
  }
  const byCommand = () => {
    // The page's own clipboard event must not put it back.
    window.addEventListener('copy', clear, { capture: true, once: true })
    document.execCommand('copy')
    window.removeEventListener('copy', clear, true)
  }
  if (navigator.clipboard) navigator.clipboard.writeText('').catch(byCommand)
  else byCommand()
}
