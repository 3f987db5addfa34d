/** Origin of a field's current value, derived from trusted input events. */
export interface Typing {
  /** Number of characters typed with keys, minus deleted ones; at least 0. */
  readonly typed: number
  /** True if any part of the value was pasted, dropped or filled in. */
  readonly atOnce: boolean
}

export const untouched: Typing = { typed: 0, atOnce: false }

/** Trusted `input` event. */
export interface Input {
  /** `inputType` of the event; null if it has none, as with a password manager. */
  readonly inputType: string | null
  /** `data` of the event. */
  readonly data: string | null
  /** Length of the value after the event. */
  readonly length: number
}

/** Maximum length of text from one key press. A composition inserts whole words and is accepted as well. */
const keyMaximum = 4
const isFromKeys = ({ inputType, data }: Input) =>
  inputType === 'insertCompositionText' ||
  inputType === 'insertFromComposition' ||
  (inputType === 'insertText' && (data?.length ?? 1) <= keyMaximum)

/** Applies an event. An empty field resets the record. */
export function afterInput(typing: Typing, input: Input): Typing {
  if (input.length === 0) return untouched
  if (input.inputType?.startsWith('delete')) return { ...typing, typed: Math.min(typing.typed, input.length) }
  if (!isFromKeys(input)) return { ...typing, atOnce: true }
  return { ...typing, typed: Math.min(typing.typed + (input.data?.length ?? 1), input.length) }
}

/**
 * Returns true if the whole value was typed with keys. A page or an extension that sets a value fires no trusted event,
 * so the value is then longer than what was typed.
 */
export const isTypedByHand = (typing: Typing, length: number): boolean =>
  length > 0 && !typing.atOnce && typing.typed >= length

/** Typed field, or one that may replace it. */
export interface TypedField {
  /** Current or former form; null for none. */
  readonly form: object | null
  readonly name: string
  readonly value: string
}

/** Known part of a field's value before an event: the text before and after a gap of unknown content. */
export interface ValueBefore {
  readonly start: string
  readonly end: string
  /** True if the gap was empty. */
  readonly isWhole: boolean
}

/** Returns the known part of the value before an event that inserted `data` before the caret. */
export function valueBefore(value: string, caret: number, data: string | null): ValueBefore {
  return {
    start: value.slice(0, Math.max(0, caret - (data?.length ?? 0))),
    end: value.slice(caret),
    isWhole: false,
  }
}

/**
 * Returns true if a field replaces one that is gone and contains what was typed there. Other text that a page puts into
 * it was not typed.
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
