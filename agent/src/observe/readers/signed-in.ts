import { deepAll, isVisible } from '../deep-dom.ts'
import { spellOut } from '../spell-out.ts'
import { saysAccountMenu, saysSignOut } from '../words/form-words.ts'
import { plainText } from '../words/word-list.ts'
import { saysSignIn, saysSignUp } from '../words/word-tests.ts'
import { controlSelector } from './page-text.ts'

/** Marks of a page for a signed-in user. */
export interface SignedInMarks {
  /** Sign-out control; `HIDDEN` inside a closed menu. */
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  /** Account or profile menu. */
  readonly accountMenu: boolean
}

/** Control of a page with its texts. */
export interface ControlFacts {
  /** Visible text, normalized. */
  readonly text: string
  /** Path of its link, split into words. */
  readonly path: string
}

const wordsMaximum = 60
const controlsMaximum = 400
const signOutPath = /\b(?:log|sign) ?(?:out|off)\b|\bend ?session\b/

/** Returns true if a control signs out. */
export const isSignOut = ({ text, path }: ControlFacts): boolean =>
  signOutPath.test(path) || (text.length <= wordsMaximum && saysSignOut(text))

/** Returns true if a control opens the user's account menu or page. "Create your account" does not count. */
export const isAccountMenu = ({ text }: ControlFacts): boolean =>
  text.length <= wordsMaximum && saysAccountMenu(text) && !saysSignUp(text) && !saysSignIn(text)

function readControl(element: Element): ControlFacts {
  const link = element instanceof HTMLAnchorElement ? element : element.closest('form')
  const address = link instanceof HTMLFormElement ? link.getAttribute('action') : link?.getAttribute('href')
  const named = ['aria-label', 'title', 'value'].map((name) => element.getAttribute(name) ?? '')
  return {
    text: plainText([(element.textContent ?? '').slice(0, 2 * wordsMaximum), ...named].join(' ')),
    path: spellOut((address ?? '').split(/[?#]/)[0] ?? ''),
  }
}

/** Finds a sign-out control and an account menu. */
export function signedInMarks(): SignedInMarks {
  const controls = deepAll(document, controlSelector).slice(0, controlsMaximum)
  const facts = controls.map((element) => ({ element, ...readControl(element) }))
  const signOuts = facts.filter(isSignOut)
  const isShown = signOuts.some(({ element }) => isVisible(element))
  return {
    signOut: isShown ? 'SHOWN' : signOuts.length > 0 ? 'HIDDEN' : null,
    accountMenu: facts.some((one) => isAccountMenu(one) && isVisible(one.element)),
  }
}
