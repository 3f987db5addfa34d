import { causeOf } from '../../kernel/lib/cause-of.ts'
import { firstCharacters } from '../../kernel/lib/text.ts'

const maximumLength = 1024

/** Returns the reason of a failed connection in one line. */
export function failureText(error: unknown): string {
  const text = causeOf(error)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return firstCharacters(text === '' ? 'It failed without a message.' : text, maximumLength)
}
