import type { ErrorCode } from '@muster/contract/errors'

/**
 * Whether an answer is a certain refusal of our server. The status alone is anybody's word: a proxy that asks for a
 * password answers 401 as well, and one that does not understand 400.
 */
export function isProblem(
  { status, body }: { readonly status: number; readonly body: unknown },
  refusalStatus: number,
  code: ErrorCode,
): boolean {
  const problem = body as { readonly code?: unknown } | null | undefined
  return status === refusalStatus && problem?.code === code
}
