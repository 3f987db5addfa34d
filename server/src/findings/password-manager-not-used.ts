import { resolved, type Wanted } from './wanted.ts'

/** Of so many of the last logins by password of an employee it is kept whether they were typed by hand. */
export const typedLoginsKept = 5

/** A login by password: when, in UNIX seconds, and whether it was typed by hand. */
export type TypedLogin = readonly [timestamp: number, typed: boolean]

/** The last logins with one more, by their times; one that comes late may be too old to count. */
export const withTypedLogin = (history: readonly TypedLogin[], login: TypedLogin): TypedLogin[] =>
  [...history, login].sort(([one], [other]) => one - other).slice(-typedLoginsKept)

/**
 * The employee types passwords by hand: of the last logins by password, so many (domain contract, section 5).
 *
 * @param threshold how many of the last five open the finding
 */
export const passwordManagerNotUsed = (history: readonly TypedLogin[], threshold: number): Wanted =>
  threshold > 0 && history.filter(([, typed]) => typed).length >= threshold ? { open: true } : resolved
