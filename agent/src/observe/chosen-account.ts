import { deepTarget } from './deep-dom.ts'
import { onlyAddressIn } from './identity-text.ts'

const choices =
  '[data-identifier], [data-email], li, button, a, [role="button"], [role="link"], [role="option"]'
const textMaximum = 300

/**
 * Returns the account that a click at an identity provider chose: the only address in the clicked element; null if
 * there is none.
 */
export function chosenAccount(event: MouseEvent): string | null {
  const choice = event.isTrusted ? deepTarget(event)?.closest(choices) : null
  if (!choice) return null
  const named = choice.getAttribute('data-identifier') ?? choice.getAttribute('data-email')
  const text = named ?? choice.textContent ?? ''
  return text.length <= textMaximum ? onlyAddressIn(text) : null
}
