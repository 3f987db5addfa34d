import type { ControlMode } from '@muster/contract/records/controls'
import type { Copy } from '../loader/frame-watch.ts'
import { actOnThreat } from './act-on-threat.ts'
import { isMaliciousCopy } from './shell-command.ts'

/**
 * Judges text that is put on the clipboard.
 *
 * @param mode returns the current mode, because the policy may change
 * @param contact returns the contact for questions
 * @returns function that judges a text; true refuses it
 */
export function watchCopy(mode: () => ControlMode, contact: () => string | null): (copy: Copy) => boolean {
  const putBack = (text: string) => () => void navigator.clipboard?.writeText(text).catch(() => undefined)
  return ({ text, selected, readable }) => {
    const now = mode()
    if (now === 'OFF' || !isMaliciousCopy(text, selected, readable)) return false
    actOnThreat({ threat: 'MALICIOUS_COPY_PASTE', mode: now, appType: null, appName: null }, contact(), {
      onProceed: putBack(text),
    })
    return now !== 'MONITOR'
  }
}

/** Removes text from the clipboard that was copied before it could be judged. */
export function emptyClipboard(): void {
  const clear = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', '')
  }
  const byCommand = () => {
    // The page's own clipboard handler must not restore it.
    window.addEventListener('copy', clear, { capture: true, once: true })
    document.execCommand('copy')
    window.removeEventListener('copy', clear, true)
  }
  if (navigator.clipboard) navigator.clipboard.writeText('').catch(byCommand)
  else byCommand()
}
