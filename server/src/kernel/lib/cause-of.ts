/** Returns the message of the innermost cause. For network errors, the outer one only says "fetch failed". */
export function causeOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return causeOf(error.cause)
  const message = error instanceof Error ? error.message : String(error)
  return message || String((error as { code?: string }).code)
}
