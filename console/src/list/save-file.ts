import { messageOf, send } from '../data/console-send.ts'
import { showToast } from '../ui/dialog/toasts.tsx'

/**
 * Downloads a file. First sends a small request that fails for the same reasons, because an error response to the
 * download would replace the console.
 *
 * @param path path of the file
 * @param asked path of the small request
 */
export async function saveFile(path: string, asked: string): Promise<void> {
  try {
    await send('GET', asked)
    location.assign(path)
  } catch (error) {
    showToast(messageOf(error), true)
  }
}
