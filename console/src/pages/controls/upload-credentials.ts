import { callRecord } from '../../data/call.ts'
import type { FileCredential } from './credential-file.ts'
import { pieces } from './text-lines.ts'

/** The server takes tens of milliseconds for each credential, so that a piece of this size takes some seconds. */
const atOnce = 250

/** How far an upload has come. */
export interface UploadProgress {
  readonly sent: number
  readonly added: number
  readonly duplicates: number
}

/**
 * Sends credentials in pieces. Of a password only its SHA-1 leaves the page.
 *
 * @param onProgress is told after each piece
 * @throws ConsoleError when a piece is refused; those before it are kept by the server
 */
export async function uploadCredentials(
  credentials: readonly FileCredential[],
  source: string,
  onProgress: (progress: UploadProgress) => void,
): Promise<UploadProgress> {
  let progress: UploadProgress = { sent: 0, added: 0, duplicates: 0 }
  for (const piece of pieces(credentials, atOnce)) {
    const hashed = await Promise.all(piece.map(withSha1))
    const { count, duplicates } = await callRecord('addStolenCredentials', {
      body: { ...(source === '' ? {} : { source }), credentials: hashed },
    })
    progress = {
      sent: progress.sent + piece.length,
      added: progress.added + count,
      duplicates: progress.duplicates + duplicates,
    }
    onProgress(progress)
  }
  return progress
}

/** The credential with the SHA-1 of its password in the place of that. */
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
