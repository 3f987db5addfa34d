import { passwordLengthMinimum } from '@muster/contract/console/console-fields'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** What a password is judged by. */
export interface PasswordFacts {
  readonly password: string
  readonly email: string
  /** Whether a text, in lower case, is among the most common passwords. */
  isCommon(text: string): boolean
  /** Whether the password was seen in a leak; undefined if nobody can tell. */
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

/** The word that a password was made of: without case, digits and signs at both ends, and letters written as digits. */
export function baseWord(password: string): string {
  const core = foldCase(password).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return core.replace(/[0134578@$!]/g, (sign) => leet[sign] ?? sign)
}

const distinctMinimum = 5

/** What is wrong with a password that somebody chooses; undefined if nothing is. */
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
  if (isCommon(folded) || isCommon(base)) return 'must not be a common password, nor one with signs around it'
  if (leaked) return 'must not be a password that was seen in a leak'
  return undefined
}
