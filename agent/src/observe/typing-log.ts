import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import { afterInput, isTypedByHand, type Typing, untouched } from './typing.ts'

/** How the values of the fields of this frame came to be. */
export interface TypingLog {
  isTypedByHand(field: HTMLInputElement): boolean
}

/** Follows the browser's own events; what a page dispatches itself is not believed. */
export function typingLog(): TypingLog {
  const log = new WeakMap<Element, Typing>()
  onPageEvent('input', (event) => {
    const target = deepTarget(event)
    if (!event.isTrusted || !(target instanceof HTMLInputElement)) return
    const { inputType = null, data = null } = event as Partial<InputEvent>
    const typing = log.get(target) ?? untouched
    log.set(target, afterInput(typing, { inputType: inputType || null, data, length: target.value.length }))
  })
  return { isTypedByHand: (field) => isTypedByHand(log.get(field) ?? untouched, field.value.length) }
}
