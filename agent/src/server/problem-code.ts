import type { ErrorCode } from '@muster/contract/api/errors'

/**
 * Returns true if a response is a specific error of our server. The status alone is not enough: a proxy may answer 401
 * or 400 as well.
 */
export function isProblem(
  { status, body }: { readonly status: number; readonly body: unknown },
  refusalStatus: number,
  code: ErrorCode,
): boolean {
  const problem = body as { readonly code?: unknown } | null | undefined
  return status === refusalStatus && problem?.code === code
}
