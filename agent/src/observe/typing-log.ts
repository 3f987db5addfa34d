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

/** Record of how the field values of this frame were entered. */
export interface TypingLog {
  isTypedByHand(field: HTMLInputElement): boolean
}

interface Typed {
  readonly element: HTMLInputElement
  readonly form: HTMLFormElement | null
  readonly typing: Typing
}

/** Maximum number of recently typed fields kept, including replaced ones. */
const recentMaximum = 8

/** Tracks trusted input events. Events dispatched by the page are ignored. */
export function typingLog(): TypingLog {
  const log = new WeakMap<HTMLInputElement, Typed>()
  let recent: readonly HTMLInputElement[] = []

  const note = (typed: Typed) => {
    log.set(typed.element, typed)
    recent = [typed.element, ...recent.filter((element) => element !== typed.element)].slice(0, recentMaximum)
  }
  /** Returns the typing of a field, or of the field that it replaced if it was not typed into yet. */
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

/** Returns the current form of a replaced field: a form that was replaced as a whole counts as its replacement. */
const formNow = (old: HTMLFormElement | null, form: HTMLFormElement | null) =>
  old?.isConnected === false ? form : old
