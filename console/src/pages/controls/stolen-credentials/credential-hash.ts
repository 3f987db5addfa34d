import type { FileCredential } from './credential-file.ts'

/** Replaces the password of a credential by its SHA-1. */
export async function withSha1({
  email,
  password,
  passwordSha1,
}: FileCredential): Promise<{ email: string; passwordSha1: string }> {
  if (passwordSha1 !== undefined) return { email, passwordSha1 }
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(password ?? ''))
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { email, passwordSha1: hex }
}
