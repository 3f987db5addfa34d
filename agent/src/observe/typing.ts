/** How the present value of a field came to be, from the browser's own events. */
export interface Typing {
  /** Characters that keys put in, less those taken out; at least 0. */
  readonly typed: number
  /** Whether any of the value was pasted, dropped or filled in at once. */
  readonly atOnce: boolean
}

export const untouched: Typing = { typed: 0, atOnce: false }

/** A trusted `input` event. */
export interface Input {
  /** `inputType` of the event; null if it has none, as when a password manager fills in. */
  readonly inputType: string | null
  /** `data` of the event. */
  readonly data: string | null
  /** Length of the value afterwards. */
  readonly length: number
}

/** Text that keys put in comes a character at a time, in a composition a word at a time. */
const keyMaximum = 4
const isFromKeys = ({ inputType, data }: Input) =>
  inputType === 'insertCompositionText' ||
  inputType === 'insertFromComposition' ||
  (inputType === 'insertText' && (data?.length ?? 1) <= keyMaximum)

/** Moves on by one event. An empty field starts anew. */
export function afterInput(typing: Typing, input: Input): Typing {
  if (input.length === 0) return untouched
  if (input.inputType?.startsWith('delete')) return { ...typing, typed: Math.min(typing.typed, input.length) }
  if (!isFromKeys(input)) return { ...typing, atOnce: true }
  return { ...typing, typed: Math.min(typing.typed + (input.data?.length ?? 1), input.length) }
}

/**
 * Whether a value was typed by hand: keys put in all of it. A page or an extension that sets a value makes
 * no trusted event, so that more stands there than was typed.
 */
export const isTypedByHand = (typing: Typing, length: number): boolean =>
  length > 0 && !typing.atOnce && typing.typed >= length

/** Field that keys were put into, or one that may stand in its place. */
export interface TypedField {
  /** Form that it is or was in; null for none. */
  readonly form: object | null
  readonly name: string
  readonly value: string
}

/** Value of a field before an event: all but the text between these two is known, and something may have been there. */
export interface ValueBefore {
  readonly start: string
  readonly end: string
  /** True if nothing was between them. */
  readonly isWhole: boolean
}

/** Returns what is known of the value before an event that put `data` before the caret. */
export function valueBefore(value: string, caret: number, data: string | null): ValueBefore {
  return {
    start: value.slice(0, Math.max(0, caret - (data?.length ?? 0))),
    end: value.slice(caret),
    isWhole: false,
  }
}

/**
 * Returns true if a field stands in the place of another one that is gone, with what was typed there. A page that puts
 * other text into it has not had that typed.
 */
export function replaces(field: Omit<TypedField, 'value'>, before: ValueBefore, gone: TypedField): boolean {
  const { start, end, isWhole } = before
  const rest = gone.value.length - start.length - end.length
  return (
    field.form === gone.form &&
    field.name === gone.name &&
    gone.value !== '' &&
    gone.value.startsWith(start) &&
    gone.value.endsWith(end) &&
    (isWhole ? rest === 0 : rest >= 0)
  )
}
