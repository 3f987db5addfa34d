import { resolved, type Wanted } from './wanted.ts'

/** Of so many of the last logins by password of an employee it is kept whether they were typed by hand. */
export const typedLoginsKept = 5

/** A login by password: when, in UNIX seconds, and whether it was typed by hand. */
export type TypedLogin = readonly [timestamp: number, typed: boolean]

/** What is kept of how an employee enters passwords. */
export interface TypedHistory {
  readonly logins: readonly TypedLogin[]
  /** Whether the finding was left open or resolved; undefined if it is not known, as after an import. */
  readonly settled?: boolean | undefined
}

/** The history of an employee, from what is kept of it. */
export const typedHistoryOf = (kept: unknown): TypedHistory =>
  typeof kept === 'string' ? (JSON.parse(kept) as TypedHistory) : { logins: [] }

/** The last of some logins, by their times; one that comes late may be too old to count. */
export const lastTypedLogins = (logins: readonly TypedLogin[]): TypedLogin[] =>
  logins.toSorted(([one], [other]) => one - other).slice(-typedLoginsKept)

/**
 * The employee types passwords by hand: of the last logins by password, so many (domain contract, section 5).
 *
 * @param threshold how many of the last five open the finding
 * @returns undefined if that depends on logins that are not known
 */
export function passwordManagerNotUsed(
  history: readonly TypedLogin[],
  threshold: number,
): Wanted | undefined {
  const typed = history.filter(([, byHand]) => byHand).length
  if (threshold > 0 && typed >= threshold) return { open: true }
  const unknown = typedLoginsKept - history.length
  return threshold > 0 && typed + unknown >= threshold ? undefined : resolved
}
