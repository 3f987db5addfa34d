import { passwordLengthMinimum } from '@muster/contract/console/console-fields'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** Input of the password policy. */
export interface PasswordFacts {
  readonly password: string
  readonly email: string
  /** True for a lowercase text among the most common passwords. */
  isCommon(text: string): boolean
  /** True if the password appears in a leak; undefined if unknown. */
  readonly leaked: boolean | undefined
}

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Returns the word behind a password: lowercase, without leading and trailing digits and symbols, leetspeak
 * decoded.
 */
export function baseWord(password: string): string {
  const core = foldCase(password).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return core.replace(/[0134578@$!]/g, (sign) => leet[sign] ?? sign)
}

const distinctMinimum = 5

/** Returns the rule that a new password breaks; undefined if it is acceptable. */
export function passwordWeakness({ password, email, isCommon, leaked }: PasswordFacts): string | undefined {
  const characters = [...password]
  const folded = foldCase(password)
  const base = baseWord(password)
  const address = foldCase(email)
  const localPart = address.slice(0, address.lastIndexOf('@'))
  if (characters.length < passwordLengthMinimum)
    return `must have at least ${passwordLengthMinimum} characters`
  if (new Set(characters).size < distinctMinimum)
    return `must have at least ${distinctMinimum} different characters`
  if (
    folded.includes(address) ||
    (localPart !== '' && (folded === localPart || base === baseWord(localPart)))
  )
    return 'must not be the e-mail address'
  if (isCommon(folded) || isCommon(base))
    return 'must not be a common password, with or without added symbols'
  if (leaked) return 'must not be a password that appeared in a data leak'
  return undefined
}
