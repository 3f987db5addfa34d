import { saysAside, saysSignIn, saysSignUp } from './words/word-tests.ts'

/** Facts about a pressed control and the form next to it. Words are normalized. */
export interface PressFacts {
  /** Visible text. */
  readonly text: string
  /** Its `aria-label`, title, class and id, split into words. */
  readonly names: string
  /** True if pressing it submits the password form natively. */
  readonly isSubmit: boolean
  /** Text of that form's native submit button; empty if it is this control or there is none. */
  readonly otherSubmit: string
}

/** Names of icon buttons without text that do not submit. */
const iconNames = /\b(?:eye|visibility|toggle|close|clear|dismiss|cancel|back|help|menu|captcha|refresh)\b/

/** Returns true for a control that leads to the other form: sign-up next to a login, or login next to a sign-up. */
const isOther = (text: string, other: string) =>
  (saysSignUp(text) && !saysSignIn(text) && saysSignIn(other)) ||
  (saysSignIn(text) && !saysSignUp(text) && saysSignUp(other) && !saysSignIn(other))

/** Returns true if pressing a control may submit the credentials of the form next to it. */
export function maySubmit({ text, names, isSubmit, otherSubmit }: PressFacts): boolean {
  const words = text === '' ? names : text
  if (saysAside(words) && !(isSubmit && isOwnWord(words))) return false
  if (text === '' && iconNames.test(names)) return false
  return isSubmit || !isOther(words, otherSubmit)
}

/** Returns true for words that also appear on submit buttons: `Reset password`, `Show my account`. */
const isOwnWord = (words: string) => saysSignIn(words) && !/\b(?:back|cancel|forgot)\b/.test(words)
