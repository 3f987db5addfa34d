import type { MfaMethod } from '../logins/login-messages.ts'
import type { MessageKind } from './page-facts.ts'
import { saysChallenge, saysLocked, saysPasswordRule, saysRefused, saysTaken } from './words/failure-words.ts'
import {
  methodWords,
  namesGeneratedCode,
  namesSecondStep,
  offersSecondStep,
  saysAddressConfirmation,
  saysCodeSent,
  waitsForDevice,
} from './words/step-words.ts'
import { plainText } from './words/word-list.ts'
import { saysCode, saysOtherCode } from './words/word-tests.ts'

/** Meaning of the texts that pages show around sign-ins. */

/** Returns the meaning of a message. */
export function messageKind(message: string): MessageKind {
  const text = plainText(message)
  if (saysLocked(text)) return 'LOCKED'
  if (saysTaken(text)) return 'TAKEN'
  if (saysPasswordRule(text)) return 'PASSWORD_RULE'
  return saysRefused(text) ? 'REFUSED' : 'UNKNOWN'
}

/** Returns true if a message reports a failed login. */
export function saysFailure(message: string): boolean {
  const text = plainText(message)
  return saysRefused(text) || saysLocked(text) || saysTaken(text)
}

/** Returns true if an alert rejects a password. Elsewhere the same text is only a hint about the rules. */
export const refusesPassword = (alert: string): boolean => saysPasswordRule(plainText(alert))

/** Methods that need no code in a field. */
const withoutCode: ReadonlySet<MfaMethod> = new Set(['PUSH_NOTIFICATION', 'WEBAUTHN'])

/**
 * Maximum text length of a page that waits for a second step. Longer pages are apps, where such words are settings and
 * help.
 */
const waitPageLength = 1_500

function waitsForStep(text: string): boolean {
  if (text.length > waitPageLength || saysAddressConfirmation(text)) return false
  return waitsForDevice(text) || (namesSecondStep(text) && !offersSecondStep(text))
}

const methodsIn = (text: string) =>
  methodWords.flatMap(([method, search]) => {
    const place = search(text)
    return place < 0 ? [] : [{ method, place }]
  })

/** Distance from the name of a code within which a page says that it sent the code. */
const nearby = 200

/**
 * Returns the method of a code that the page does not describe. Pages that send a code say so, for example with a link
 * that sends it again.
 */
function methodOfCode(text: string, controls: string): 'APP_TOTP' | 'UNKNOWN' {
  const place = namesGeneratedCode(text)
  if (place < 0) return 'UNKNOWN'
  const around = text.slice(Math.max(0, place - nearby), place + nearby)
  return saysCodeSent(around) || saysCodeSent(controls) ? 'UNKNOWN' : 'APP_TOTP'
}

/**
 * Returns the kind of second step that a page asks for. Of several code methods, the first one mentioned wins.
 *
 * @param message readable text of the page, without links and buttons, which name alternatives
 * @param hasCodeField true if there is a field for a code
 * @param controls text of links and buttons, which may offer to set up a second step later
 * @param label text at the code field if the page also asks for something else; takes precedence
 * @returns `UNKNOWN` if the kind is not stated; null if the page asks for none. A page without a field must state that
 * it waits for a step; offering one in its settings is not enough.
 */
export function secondStepOf(
  message: string,
  hasCodeField: boolean,
  controls = '',
  label = '',
): MfaMethod | 'UNKNOWN' | null {
  const text = plainText(message)
  if (!hasCodeField && !waitsForStep(text)) return null
  if (!hasCodeField && !waitsForDevice(text) && offersSecondStep(plainText(controls))) return null
  const atLabel = methodsIn(plainText(label)).filter(({ method }) => !withoutCode.has(method))
  const found = atLabel.length > 0 ? atLabel : methodsIn(text)
  const likely = found.filter(({ method }) => withoutCode.has(method) !== hasCodeField)
  if (likely.length === 0)
    return found[0]?.method ?? (hasCodeField ? methodOfCode(text, plainText(controls)) : 'UNKNOWN')
  const [first] = hasCodeField ? likely.toSorted((one, other) => one.place - other.place) : likely
  return first?.method ?? 'UNKNOWN'
}

/** Returns true if a code or link confirms an address at sign-up, which is not a second factor. */
export function confirmsAddress(message: string): boolean {
  const text = plainText(message)
  return text.length <= waitPageLength && saysAddressConfirmation(text) && !namesSecondStep(text)
}

/** Maximum text length of a challenge page. Longer pages are apps, which may be about robots. */
const challengeLength = 600

/** Returns true if a page shows only a challenge, such as a CAPTCHA. */
export const asksForPerson = (message: string): boolean =>
  message.length <= challengeLength && saysChallenge(plainText(message))

/** Returns true if text about a code refers to a second step. Used where the field alone is ambiguous. */
export function asksForCode(message: string): boolean {
  const text = plainText(message)
  return (
    (saysCode(text) || namesSecondStep(text) || /\benter (?:the |your |a )?code\b/.test(text)) &&
    !saysOtherCode(text)
  )
}
