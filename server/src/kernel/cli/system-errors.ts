import { isFull } from '../store/sqlite/sqlite-errors.ts'

/** Message and place of an error. */
interface ErrorFacts {
  readonly message: string
  /** File or folder, if known. */
  readonly place: string
}

type Explanation = (facts: ErrorFacts) => string

const full: Explanation = ({ place }) =>
  `The disk is full (${place}): free some space or use another disk, then try again.`
const forbidden: Explanation = ({ place }) =>
  `${place} is not accessible for user ${process.getuid?.() ?? 'unknown'}: grant read and write access, run muster as the owner, or choose another path.`
const needsFolder: Explanation = ({ place }) =>
  `${place} is a file or below a file, but must be a folder: choose another path.`
const broken: Explanation = ({ message }) => `The disk reports an error (${message}): check the system log.`

/** Explanations by system error code (errno(3)). */
const systemExplanations: Readonly<Record<string, Explanation>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: ({ place }) =>
    `${place} exceeds the maximum file size: raise the limit of this user (ulimit -f), or use another disk.`,
  EEXIST: needsFolder,
  ENOTDIR: needsFolder,
  EISDIR: ({ place }) => `${place} is a folder, but must be a file: move it away or choose another path.`,
  ENOENT: ({ place }) => `${place} does not exist and cannot be created: choose another path.`,
  EROFS: ({ place }) => `${place} is on a read-only file system: choose another path.`,
  ENAMETOOLONG: ({ place }) => `${place} is too long: choose a shorter name.`,
  EMFILE: () => 'Too many open files: raise the limit of this process (ulimit -n).',
  EIO: broken,
}

const damaged: Explanation = ({ message }) =>
  `The database is damaged or not a Muster database (${message}): stop the server and restore the newest backup to another folder with muster restore FILE --data DIR. Run muster doctor for details.`
const closed: Explanation = ({ message }) =>
  `The database is not accessible (${message}): grant this user read and write access to its file and folder.`

/** Explanations by primary SQLite result code (sqlite.org/rescode.html). */
const sqliteExplanations: Readonly<Record<number, Explanation>> = {
  3: closed,
  8: closed,
  10: broken,
  11: damaged,
  14: closed,
  26: damaged,
}

const refused: Explanation = ({ message }) =>
  `PostgreSQL rejected the user (${message}): check user and password in MUSTER_DATABASE_URL, and pg_hba.conf.`
const unknownParameter: Explanation = ({ message }) =>
  `PostgreSQL rejected a parameter (${message}): check the query string of MUSTER_DATABASE_URL.`
const otherApplication: Explanation = ({ message }) =>
  `The PostgreSQL database has tables of another application (${message}): use a separate database for Muster.`

/** Explanations by PostgreSQL error code (postgresql.org/docs/current/errcodes-appendix.html). */
const postgresExplanations: Readonly<Record<string, Explanation>> = {
  '0A000': ({ message }) =>
    `PostgreSQL lacks a feature (${message}): use version 15 or newer, and install its contrib package.`,
  '22023': unknownParameter,
  '28000': refused,
  '28P01': refused,
  '3D000': ({ message }) =>
    `The PostgreSQL database does not exist (${message}): create it with createdb, or correct its name in MUSTER_DATABASE_URL.`,
  '53100': full,
  '42501': ({ message }) =>
    `The PostgreSQL user lacks a privilege (${message}): make it the owner of the database with ALTER DATABASE … OWNER TO ….`,
  '42703': otherApplication,
  '42704': unknownParameter,
  '42710': otherApplication,
  '42809': otherApplication,
  '42P01': otherApplication,
  '42P07': otherApplication,
}

/**
 * Explains an error of the system, of SQLite or of PostgreSQL to the operator, with what to do.
 *
 * @param about file or folder, if the error does not name it
 * @returns undefined for other errors, and errors that an operator cannot fix
 */
export function explainSystemError(error: unknown, about?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', errcode, path, dest, message, name } = error as SystemError
  const explanation =
    errcode !== undefined
      ? isFull(errcode)
        ? full
        : sqliteExplanations[errcode % 256]
      : name === 'PostgresError'
        ? postgresExplanations[code]
        : systemExplanations[code]
  return (
    explanation?.({ message, place: about ?? dest ?? path ?? message }) ??
    explainSystemError(error.cause, about)
  )
}

/** Members of errors of Node.js, node:sqlite and the PostgreSQL driver. */
interface SystemError extends Error {
  readonly code?: string
  readonly errcode?: number
  readonly path?: string
  readonly dest?: string
}
