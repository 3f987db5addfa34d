/** The oldest PostgreSQL that Muster supports. */
export const postgresMajorMinimum: number

/** A program the tests use: what to call it, the packages that bring it (spaces between), and where it is. */
export interface Program {
  title: string
  debian: string
  homebrew: string
  find: () => string | undefined
}

export const programs: Record<
  | 'postgresql'
  | 'redis'
  | 'chromium'
  | 'firefox'
  | 'rsyslog'
  | 'pgbouncer'
  | 'haproxy'
  | 'promtool'
  | 'systemd'
  | 'python'
  | 'curl',
  Program
>

/** The first of the commands that is on the search path, as a full path; undefined if none is. */
export function findCommand(...names: string[]): string | undefined

/** The folder of the newest PostgreSQL's programs, at least version 15; undefined if there is none. */
export function findPostgresBin(): string | undefined
