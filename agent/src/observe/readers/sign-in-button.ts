import { deepAll, isVisible } from '../deep-dom.ts'
import { plainText } from '../words/word-list.ts'
import { saysSignIn, saysSignUp } from '../words/word-tests.ts'

const buttons =
  'button, input[type="submit"], input[type="button"], a[href^="#"], a:not([href]), [role="button"], [tabindex]:not(a, input)'
const textMaximum = 80

const textOf = (element: Element) =>
  element instanceof HTMLInputElement
    ? element.value
    : `${element.textContent ?? ''} ${element.getAttribute('aria-label') ?? ''}`

const isOutside = (button: Element, form: HTMLFormElement) =>
  (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && button.form === form

/**
 * Returns true if a button signs in and none creates an account.
 *
 * @param form form that the button submits; null for the whole page
 */
export function signsIn(form: HTMLFormElement | null): boolean {
  const inside = deepAll(form ?? document, buttons)
  const outside = form ? deepAll(document, buttons).filter((button) => isOutside(button, form)) : []
  const texts = [...new Set([...inside, ...outside])]
    .filter(isVisible)
    .map((button) => plainText(textOf(button)))
    .filter((text) => text.length <= textMaximum)
  return texts.some(saysSignIn) && !texts.some((text) => saysSignUp(text) && !saysSignIn(text))
}
