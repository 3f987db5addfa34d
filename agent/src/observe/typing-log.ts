import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import {
  afterInput,
  isTypedByHand,
  replaces,
  type Typing,
  untouched,
  type ValueBefore,
  valueBefore,
} from './typing.ts'

/** How the values of the fields of this frame came to be. */
export interface TypingLog {
  isTypedByHand(field: HTMLInputElement): boolean
}

interface Typed {
  readonly element: HTMLInputElement
  readonly form: HTMLFormElement | null
  readonly typing: Typing
}

/** Fields that people typed into last; one that was replaced is among them. */
const recentMaximum = 8

/** Follows the browser's own events; what a page dispatches itself is not believed. */
export function typingLog(): TypingLog {
  const log = new WeakMap<HTMLInputElement, Typed>()
  let recent: readonly HTMLInputElement[] = []

  const note = (typed: Typed) => {
    log.set(typed.element, typed)
    recent = [typed.element, ...recent.filter((element) => element !== typed.element)].slice(0, recentMaximum)
  }
  /** The typing of a field; that of the one in whose place the page put it, if it was not typed into yet. */
  const typingOf = (field: HTMLInputElement, before: ValueBefore): Typing => {
    const own = log.get(field)
    if (own) return own.typing
    const { form, name } = field
    for (const element of recent) {
      const typed = log.get(element)
      if (!typed || element.isConnected) continue
      if (
        replaces({ form, name }, before, {
          form: formNow(typed.form, form),
          name: element.name,
          value: element.value,
        })
      )
        return typed.typing
    }
    return untouched
  }
  onPageEvent('input', (event) => {
    const target = deepTarget(event)
    if (!event.isTrusted || !(target instanceof HTMLInputElement)) return
    const { inputType = null, data = null } = event as Partial<InputEvent>
    const { value, form } = target
    const typing = typingOf(target, valueBefore(value, target.selectionEnd ?? value.length, data))
    const input = { inputType: inputType || null, data, length: value.length }
    note({ element: target, form, typing: afterInput(typing, input) })
  })
  return {
    isTypedByHand: (field) => {
      const { value } = field
      return isTypedByHand(typingOf(field, { start: value, end: '', isWhole: true }), value.length)
    },
  }
}

/** A form that was replaced as a whole counts as the one in its place. */
const formNow = (old: HTMLFormElement | null, form: HTMLFormElement | null) =>
  old?.isConnected === false ? form : old
