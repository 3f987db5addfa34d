import { isFull } from '../store/sqlite/sqlite-errors.ts'

/** What an error has to say for itself, wherever it comes from. */
interface Said {
  readonly message: string
  /** The file or folder that it is about, as far as that is known. */
  readonly place: string
}

type Explanation = (said: Said) => string

const full: Explanation = ({ place }) =>
  `The disk is full (${place}): free some space, or name a place on a larger disk, and do it again.`
const forbidden: Explanation = ({ place }) =>
  `${place} cannot be used by user ${process.getuid?.() ?? 'unknown'}: give that user the right to read and write it, run muster as the user that owns it, or name another place.`
const needsFolder: Explanation = ({ place }) =>
  `${place} is a file, or lies below one, where a folder is needed: name another place.`
const broken: Explanation = ({ message }) =>
  `The disk answers with an error (${message}): look into the log of the system.`

/** By the codes of the system (errno(3)). */
const ofSystem: Readonly<Record<string, Explanation>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: ({ place }) =>
    `${place} would become larger than a file may be here: let this user write larger files (ulimit -f), or name a place on another disk.`,
  EEXIST: needsFolder,
  ENOTDIR: needsFolder,
  EISDIR: ({ place }) => `${place} is a folder, where a file is needed: move it away, or name another place.`,
  ENOENT: ({ place }) => `${place} is not there, and cannot be made: name another place.`,
  EROFS: ({ place }) => `${place} is on a disk that can only be read: name another place.`,
  ENAMETOOLONG: ({ place }) => `${place} is too long a name: take a shorter one.`,
  EMFILE: () => 'Too many files are open: let this process open more (ulimit -n).',
  EIO: broken,
}

const damaged: Explanation = ({ message }) =>
  `The database is damaged, or none of Muster (${message}): stop the server, and restore the newest backup to another folder by muster restore FILE --data DIR. muster doctor says more.`
const closed: Explanation = ({ message }) =>
  `The database cannot be used (${message}): let this user read and write its file and its folder.`

/** By the primary codes of SQLite (sqlite.org/rescode.html). */
const ofSqlite: Readonly<Record<number, Explanation>> = {
  3: closed,
  8: closed,
  10: broken,
  11: damaged,
  14: closed,
  26: damaged,
}

const refused: Explanation = ({ message }) =>
  `PostgreSQL refuses the user (${message}): correct user and password in MUSTER_DATABASE_URL, or let that user in (pg_hba.conf).`
const unknownParameter: Explanation = ({ message }) =>
  `PostgreSQL does not take a parameter (${message}): correct what follows the question mark in MUSTER_DATABASE_URL.`
const ofOthers: Explanation = ({ message }) =>
  `The tables in the PostgreSQL database are not those of Muster (${message}): give Muster a database of its own.`

/** By the codes of PostgreSQL (postgresql.org/docs/current/errcodes-appendix.html). */
const ofPostgres: Readonly<Record<string, Explanation>> = {
  '0A000': ({ message }) =>
    `PostgreSQL lacks something (${message}): take version 15 or newer, and install its contrib package.`,
  '22023': unknownParameter,
  '28000': refused,
  '28P01': refused,
  '3D000': ({ message }) =>
    `PostgreSQL does not have the database (${message}): make it with createdb, or correct its name in MUSTER_DATABASE_URL.`,
  '53100': full,
  '42501': ({ message }) =>
    `The user of the PostgreSQL database lacks a right (${message}): let it own the database, by ALTER DATABASE … OWNER TO ….`,
  '42703': ofOthers,
  '42704': unknownParameter,
  '42710': ofOthers,
  '42809': ofOthers,
  '42P01': ofOthers,
  '42P07': ofOthers,
}

/**
 * Says what an error of the system, of SQLite or of PostgreSQL means to who runs Muster, and what would be right.
 *
 * @param about what it is about, where the error does not know it
 * @returns undefined if it is none of these, or one that no operator can do anything about
 */
export function explainSystemError(error: unknown, about?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', errcode, path, dest, message, name } = error as SystemError
  const explanation =
    errcode !== undefined
      ? isFull(errcode)
        ? full
        : ofSqlite[errcode % 256]
      : name === 'PostgresError'
        ? ofPostgres[code]
        : ofSystem[code]
  return (
    explanation?.({ message, place: about ?? dest ?? path ?? message }) ??
    explainSystemError(error.cause, about)
  )
}

/** Members of the errors of Node, of its SQLite, and of the driver of PostgreSQL. */
interface SystemError extends Error {
  readonly code?: string
  readonly errcode?: number
  readonly path?: string
  readonly dest?: string
}
