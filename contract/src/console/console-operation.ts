import type { Static, TObject, TSchema } from 'typebox'

/** What an administrator may do; each role may do what those before it may. */
export const roles = ['READ_ONLY', 'FULL_ACCESS', 'OWNER'] as const
export type Role = (typeof roles)[number]

/** Whether a role may do what `needed` may. */
export const roleCovers = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Who may call an operation of the console. There is no default: an operation without one does not compile, and a
 * server with one does not start.
 * - `PUBLIC`: anybody, without a session;
 * - `SECOND_FACTOR`: who has given a right password and is asked for the second step;
 * - `SESSION`: every administrator who is signed in, for what is their own;
 * - a role: administrators with this role or a higher one.
 */
export type Access = 'PUBLIC' | 'SECOND_FACTOR' | 'SESSION' | Role

/** An operation of the console as data: the server binds it, the page's client is typed from it. */
export interface ConsoleOperation<B extends TSchema = TSchema, R extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: `/console/api/${string}`
  readonly access: Access
  /** A sensitive act: it needs an authentication that is not older than ten minutes. */
  readonly sensitive: boolean
  readonly summary: string
  /** In bytes; 64 KiB unless told. */
  readonly bodyLimitBytes?: number
  readonly body?: B
  readonly response: R
}

/** Declares an operation; the type keeps the shapes of body and answer. */
export const consoleOperation = <B extends TObject, R extends TSchema>(
  declaration: ConsoleOperation<B, R>,
): ConsoleOperation<B, R> => declaration

/** The body that an operation takes; `undefined` if it takes none. */
export type ConsoleBody<O> =
  O extends ConsoleOperation<infer B, TSchema>
    ? O extends { readonly body?: undefined }
      ? undefined
      : Static<B>
    : never
/** The answer of an operation. */
export type ConsoleAnswer<O> = O extends ConsoleOperation<TSchema, infer R> ? Static<R> : never
