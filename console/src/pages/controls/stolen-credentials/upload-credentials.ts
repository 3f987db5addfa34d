import { callRecord } from '../../../data/call.ts'
import { pieces } from '../text-lines.ts'
import type { FileCredential } from './credential-file.ts'
import { withSha1 } from './credential-hash.ts'

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
 * @param signal ends the upload before the next piece
 * @param onProgress is told after each piece
 * @throws ConsoleError when a piece is refused; those before it are kept by the server
 */
export async function uploadCredentials(
  credentials: readonly FileCredential[],
  source: string,
  signal: AbortSignal,
  onProgress: (progress: UploadProgress) => void,
): Promise<UploadProgress> {
  let progress: UploadProgress = { sent: 0, added: 0, duplicates: 0 }
  for (const piece of pieces(credentials, atOnce)) {
    if (signal.aborted) break
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
