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
