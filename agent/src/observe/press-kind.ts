import { saysAside, saysSignIn, saysSignUp } from './words/word-tests.ts'

/** What is known of a control that was pressed, and of the form that it is beside. Words are normalized. */
export interface PressFacts {
  /** Text that people read on it. */
  readonly text: string
  /** Its label for screen readers, title, class and id, spelled out. */
  readonly names: string
  /** True if the browser hands in the form with the password when it is pressed. */
  readonly isSubmit: boolean
  /** Text of the button by which the browser hands in that form; empty if it is this one, or there is none. */
  readonly otherSubmit: string
}

/** Words on what is small and has no text: an icon says by its names what it does. */
const iconNames = /\b(?:eye|visibility|toggle|close|clear|dismiss|cancel|back|help|menu|captcha|refresh)\b/

/** A sign-up beside a login, and a login beside a sign-up: controls that lead to the other form. */
const isOther = (text: string, other: string) =>
  (saysSignUp(text) && !saysSignIn(text) && saysSignIn(other)) ||
  (saysSignIn(text) && !saysSignUp(text) && saysSignUp(other) && !saysSignIn(other))

/** Returns true if pressing a control may hand in the credentials of the form that it is beside. */
export function mayHandIn({ text, names, isSubmit, otherSubmit }: PressFacts): boolean {
  const words = text === '' ? names : text
  if (saysAside(words) && !(isSubmit && isOwnWord(words))) return false
  if (text === '' && iconNames.test(names)) return false
  return isSubmit || !isOther(words, otherSubmit)
}

/** Words that stand on buttons of forms as well: `Reset password`, `Show my account`. */
const isOwnWord = (words: string) => saysSignIn(words) && !/\b(?:back|cancel|forgot)\b/.test(words)
