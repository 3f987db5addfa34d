import { deepAll, isVisible } from './deep-dom.ts'
import type { ShownForm } from './form-facts.ts'
import { keyOf } from './form-identity.ts'
import type { MessageFact } from './page-facts.ts'
import { refusesPassword, saysFailure } from './page-words.ts'

const alertSelector =
  '[role="alert"], [aria-live="assertive"], [aria-invalid="true"], [class*="error" i], [class*="alert" i], [class*="invalid" i], [class*="danger" i], [id*="error" i]'
const messageMaximum = 400

/** Reads the messages that are shown. */
export function shownMessages(_forms: readonly ShownForm[]): MessageFact[] {
  return deepAll(document, alertSelector)
    .filter(isVisible)
    .flatMap((element): MessageFact[] => {
      const text = (element.textContent ?? '').replace(/\s+/g, ' ').trim().toLowerCase()
      if (text === '' || text.length > messageMaximum) return []
      const kind = saysFailure(text) ? 'REFUSED' : refusesPassword(text) ? 'PASSWORD_RULE' : 'UNKNOWN'
      return [{ key: `${keyOf(element)} ${text}`, kind, place: 'TOAST' }]
    })
}
