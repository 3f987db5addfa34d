import type { Static, TObject, TSchema } from 'typebox'

/** Roles of administrators. Each includes the permissions of the previous ones. */
export const roles = ['READ_ONLY', 'FULL_ACCESS', 'OWNER'] as const
export type Role = (typeof roles)[number]

/** True if a role includes the permissions of `needed`. */
export const roleCovers = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Access requirement of a console operation. There is no default: an operation without one does not compile, and the
 * server does not start with one.
 * - `PUBLIC`: anyone, without a session;
 * - `SECOND_FACTOR`: after a correct password, before the second factor;
 * - `SESSION`: every signed-in administrator, for their own data;
 * - a role: administrators with this role or a higher one.
 */
export type Access = 'PUBLIC' | 'SECOND_FACTOR' | 'SESSION' | Role

/** Declaration of a console operation. The server binds it, and the client derives its types from it. */
export interface ConsoleOperation<B extends TSchema = TSchema, R extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: `/console/api/${string}`
  readonly access: Access
  /** True for a sensitive action, which requires authentication within the last ten minutes. */
  readonly sensitive: boolean
  readonly summary: string
  /** Maximum body size in bytes; 64 KiB by default. */
  readonly bodyLimitBytes?: number
  readonly body?: B
  readonly response: R
}

/** Declares an operation and infers the types of body and response. */
export const consoleOperation = <B extends TObject, R extends TSchema>(
  declaration: ConsoleOperation<B, R>,
): ConsoleOperation<B, R> => declaration

/** Body type of an operation; `undefined` if it has none. */
export type ConsoleBody<O> =
  O extends ConsoleOperation<infer B, TSchema>
    ? O extends { readonly body?: undefined }
      ? undefined
      : Static<B>
    : never
/** Response type of an operation. */
export type ConsoleAnswer<O> = O extends ConsoleOperation<TSchema, infer R> ? Static<R> : never
