import { callRecord } from '../../../data/call.ts'
import { chunks } from '../text-lines.ts'
import type { FileCredential } from './credential-file.ts'
import { withSha1 } from './credential-hash.ts'

/** The server needs tens of milliseconds per credential, so a chunk of this size takes a few seconds. */
const atOnce = 250

/** Progress of an upload. */
export interface UploadProgress {
  readonly sent: number
  readonly added: number
  readonly duplicates: number
}

/**
 * Uploads credentials in chunks. Only the SHA-1 of a password leaves the page.
 *
 * @param signal stops the upload before the next chunk
 * @param onProgress called after each chunk
 * @throws ConsoleError if a chunk is refused; the server keeps the chunks before it
 */
export async function uploadCredentials(
  credentials: readonly FileCredential[],
  source: string,
  signal: AbortSignal,
  onProgress: (progress: UploadProgress) => void,
): Promise<UploadProgress> {
  let progress: UploadProgress = { sent: 0, added: 0, duplicates: 0 }
  for (const piece of chunks(credentials, atOnce)) {
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
